export * from './delete.ts'
export * from './export.ts'
export * from './store.ts'
