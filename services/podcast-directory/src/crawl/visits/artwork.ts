import { createHash } from 'node:crypto'
import { thumbnailKey, thumbnailOf } from '../../artwork/thumbnail.ts'
import { record } from '../../changes/store.ts'
import { setThumbnail } from '../../feeds/save/podcast-store.ts'
import { find } from '../../podcasts/store.ts'
import { giveUpOrRetry } from './give-up.ts'
import type { Purpose } from './purpose.ts'
import * as visits from './store.ts'

/** Makes a thumbnail of a podcast's artwork; without one, callers are sent to the artwork itself. */
export const artworkVisit: Purpose = {
  accept: 'image/jpeg, image/png, image/webp, image/*;q=0.5',
  maxBytes: 8 * 1024 * 1024,

  async read(visit, { body }, context) {
    const { blobs, transaction, db: reading } = context
    const small = await thumbnailOf(body)
    if (!small)
      return artworkVisit.fail(
        visit,
        { reason: 'The artwork is not an image that can be displayed.', lasting: true },
        context,
      )
    const podcast = await find(reading, visit.tenant, visit.id)
    // The same picture has the same name: whoever is stopped here and starts again leaves nothing behind.
    const name = createHash('sha256').update(`${visit.tenant}/${visit.id}/`).update(small).digest('hex').slice(0, 32)
    if (podcast?.status === 'listed') await blobs.shared.put(thumbnailKey(name), small, { contentType: 'image/jpeg' })
    await transaction(async (db) => {
      await visits.forget(db, visit)
      if (podcast?.status !== 'listed' || podcast.thumbnail === name) return
      await setThumbnail(db, visit, name)
      await record(db, visit.tenant, visit.id, [{ kind: 'podcast', id: visit.id }])
    })
    if (podcast?.thumbnail && podcast.thumbnail !== name) await blobs.shared.delete(thumbnailKey(podcast.thumbnail))
  },

  unchanged: (visit, context) => context.transaction((db) => visits.forget(db, visit)),
  fail: giveUpOrRetry,
}
