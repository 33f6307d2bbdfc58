import type { Blobs } from '@icosa/kernel'

const pageSize = 1000

/** Deletes every blob under a prefix. */
export async function deleteBlobs(blobs: Blobs, prefix: string): Promise<void> {
  let after: string | undefined
  do {
    const { items, next } = await blobs.list(prefix, { limit: pageSize, ...(after !== undefined && { after }) })
    for (const { key } of items) await blobs.delete(key)
    after = next
  } while (after !== undefined)
}
