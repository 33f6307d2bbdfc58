import type { OpenBlobs } from '@icosa/kernel'
import { directoryBlobs } from './directory/directory.ts'
import { blobRoute } from './directory/route.ts'
import { type S3Options, s3Blobs } from './s3/s3.ts'

/** Where blobs are kept: a folder on this machine, or a bucket that all nodes share. */
export type BlobStore = { readonly directory: string } | { readonly s3: S3Options }

/** A folder's signed URLs are served by the node itself; a bucket serves its own. */
export function blobStore(store: BlobStore): OpenBlobs {
  return async (options) => {
    if ('s3' in store) return { blobs: await s3Blobs(store.s3) }
    const blobs = await directoryBlobs({ directory: store.directory, ...options })
    return { blobs, route: blobRoute(blobs) }
  }
}
