import type { Blobs, OwnBlobs } from '@icosa/kernel'

/** Blobs of one sender, by prefix: expired ones of all senders are found without a list of senders. */
export interface SenderStorage {
  readonly blobs: Blobs
  readonly prefix: string
}

export const storageOf = ({ shared }: OwnBlobs, tenant: string): SenderStorage => ({
  blobs: shared,
  prefix: `${encodeURIComponent(tenant)}/`,
})
