import { type BlobEntry, type Blobs, blobEntries, blobPrefix } from '@icosa/kernel'
import { deleteBlobs } from '@icosa/platform/state'
import type { MoveCells } from './cell.ts'

/** A blob this much older than its copy has not changed since. Above the clock skew of two stores. */
const marginMs = 60_000

/** Makes the tenant's blobs in `to` those in `from`, and copies only what may differ. Returns the number of copies. */
export async function syncBlobs(from: Blobs, to: Blobs, tenant: string, services: readonly string[]): Promise<number> {
  let copies = 0
  for (const prefix of services.map((service) => blobPrefix(service, tenant))) {
    const there = new Map<string, BlobEntry>()
    for await (const entry of blobEntries(to, prefix)) there.set(entry.key, entry)
    for await (const entry of blobEntries(from, prefix)) {
      const copy = there.get(entry.key)
      there.delete(entry.key)
      if (copy && copy.size === entry.size && copy.modifiedAt.getTime() - entry.modifiedAt.getTime() > marginMs)
        continue
      if (await copyBlob(from, to, entry.key)) copies++
    }
    for (const key of there.keys()) await to.delete(key)
  }
  return copies
}

/** False if it was deleted in the meantime. */
async function copyBlob(from: Blobs, to: Blobs, key: string): Promise<boolean> {
  try {
    const { info, body } = await from.get(key)
    await to.put(key, body, { contentType: info.contentType })
    return true
  } catch (error) {
    if ((error as { kind?: string }).kind !== 'notFound') throw error
    return false
  }
}

/** Keys that are missing in one of the stores, or differ in size. */
export async function differentBlobs(
  { source, target }: NonNullable<MoveCells['blobs']>,
  tenant: string,
  services: readonly string[],
) {
  const different: string[] = []
  let blobs = 0
  for (const prefix of services.map((service) => blobPrefix(service, tenant))) {
    const there = new Map<string, number>()
    for await (const { key, size } of blobEntries(target, prefix)) there.set(key, size)
    for await (const { key, size } of blobEntries(source, prefix)) {
      if (there.get(key) !== size) different.push(key)
      there.delete(key)
      blobs++
    }
    different.push(...there.keys())
  }
  return { blobs, different }
}

export async function removeBlobs(blobs: Blobs, tenant: string, services: readonly string[]): Promise<void> {
  for (const service of services) await deleteBlobs(blobs, blobPrefix(service, tenant))
}
