export { countBlobs } from './bytes/count.ts'
export { limitedBlobs, limitsKnownMs } from './bytes/limited-blobs.ts'
export { limitedBytes, servicesWithState } from './bytes/store.ts'
export * from './store.ts'
