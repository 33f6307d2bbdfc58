import { job } from '@icosa/kernel'
import { uploadKey } from './keys.ts'
import * as store from './store.ts'

const dayMs = 86_400_000

/** Deletes day-old uploads. A deployed one has been copied to a source. */
export const sweepUploads = job('sweep-uploads', {
  async run(_: unknown, { db, clock, blobs }) {
    const expired = await store.expired(db, new Date(clock.now().getTime() - dayMs))
    for (const { tenant, id } of expired) await blobs.of(tenant).delete(uploadKey(id))
    return (writing) => store.remove(writing, expired)
  },
})
