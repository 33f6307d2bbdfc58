export { directoryBlobs } from './directory/directory.ts'
export * from './open.ts'
export { s3Blobs } from './s3/s3.ts'
