import { type Blobs, blobEntries } from '@icosa/kernel'

/** Deletes every blob with a prefix. Returns how many. */
export async function deleteBlobs(blobs: Blobs, prefix: string): Promise<number> {
  let deleted = 0
  for await (const { key } of blobEntries(blobs, prefix)) {
    await blobs.delete(key)
    deleted++
  }
  return deleted
}
