export * from './blobs.ts'
export * from './store.ts'
