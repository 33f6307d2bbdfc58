import { job, type OwnBlobs } from '@icosa/kernel'
import { clear } from './store.ts'

const batch = 2_000

/** Deletes persons, faces and galleries of a deleted group or list. */
export const clearAway = job<{ readonly uid: string }>('clearAway', {
  async run({ uid }, { tenant, transaction, blobs, signal }) {
    while (!signal.aborted && (await transaction((db) => clear(db, tenant, uid, batch))) > 0);
    await removeGalleries(blobs, uid)
  },
})

export const galleryKey = (uid: string, training: string) => `galleries/${uid}/${training}`

/** Deletes the galleries of one group or list, or all but the one in use. */
export async function removeGalleries(blobs: OwnBlobs, uid: string, except?: string): Promise<void> {
  const { items } = await blobs.list(galleryKey(uid, ''), { limit: 1_000 })
  for (const { key } of items) if (key !== except) await blobs.delete(key)
}
