import type { OpenBlobs } from '@icosa/kernel'
import { directoryBlobs } from './directory/directory.ts'
import { blobRoute } from './directory/route.ts'
import { type S3Options, s3Blobs } from './s3/s3.ts'
import { bucketState, currentMs, directoryState, refusingWhenFull, stateOf } from './state.ts'

/** A local folder whose disk keeps `minFreeBytes` free, or a bucket shared by all nodes. */
export type BlobStore = { readonly directory: string; readonly minFreeBytes?: number } | { readonly s3: S3Options }

/** The node serves a folder's signed URLs; a bucket serves its own. */
export function blobStore(store: BlobStore): OpenBlobs {
  return async (options) => {
    if ('s3' in store) {
      const blobs = await s3Blobs(store.s3)
      return { blobs, state: stateOf(() => bucketState(blobs), currentMs.s3) }
    }
    const { directory, minFreeBytes = 0 } = store
    const state = stateOf(() => directoryState(directory, minFreeBytes), currentMs.directory)
    const blobs = refusingWhenFull(await directoryBlobs({ directory, ...options }), state)
    return { blobs, route: blobRoute(blobs), state }
  }
}
