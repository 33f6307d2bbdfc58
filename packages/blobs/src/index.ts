export { directoryBlobs } from './directory.ts'
export * from './open.ts'
export { s3Blobs } from './s3.ts'
