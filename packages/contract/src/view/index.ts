export { itemsField, resolveViews, type ViewedOperation, viewedOperations } from './resolve.ts'
export * from './view.ts'
