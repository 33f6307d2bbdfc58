import type { Blobs, OwnBlobs } from '@icosa/kernel'

/** Where the files of one sender lie. All senders have theirs in one place, so that what is old is found without knowing them. */
export interface Shelf {
  readonly blobs: Blobs
  readonly prefix: string
}

export const shelfOf = ({ shared }: OwnBlobs, tenant: string): Shelf => ({
  blobs: shared,
  prefix: `${encodeURIComponent(tenant)}/`,
})
