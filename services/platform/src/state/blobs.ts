import type { Blobs } from '@icosa/kernel'

const pageSize = 1000

/** Deletes every blob with a prefix. Returns how many. */
export async function deleteBlobs(blobs: Blobs, prefix: string): Promise<number> {
  let deleted = 0
  let after: string | undefined
  do {
    const { items, next } = await blobs.list(prefix, { limit: pageSize, ...(after !== undefined && { after }) })
    for (const { key } of items) await blobs.delete(key)
    deleted += items.length
    after = next
  } while (after !== undefined)
  return deleted
}
