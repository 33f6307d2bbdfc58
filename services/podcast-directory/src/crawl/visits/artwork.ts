import { createHash } from 'node:crypto'
import { thumbnailKey, thumbnailOf } from '../../artwork/thumbnail.ts'
import { record } from '../../changes/store.ts'
import { setThumbnail } from '../../feeds/save/podcast-store.ts'
import { find } from '../../podcasts/store.ts'
import { giveUpOrRetry } from './give-up.ts'
import type { Purpose } from './purpose.ts'
import * as visits from './store.ts'

/** Makes a thumbnail of a podcast's artwork, in place of which callers otherwise get the artwork itself. */
export const artworkVisit: Purpose = {
  accept: 'image/jpeg, image/png, image/webp, image/*;q=0.5',
  maxBytes: 8 * 1024 * 1024,

  async read(visit, { body }, context) {
    const { blobs, transaction, db: reading } = context
    const thumbnail = await thumbnailOf(body)
    if (!thumbnail)
      return artworkVisit.fail(visit, { reason: 'The artwork is not a supported image.', lasting: true }, context)
    const podcast = await find(reading, visit.tenant, visit.id)
    // Named by content, so that a retry leaves no orphans.
    const name = createHash('sha256')
      .update(`${visit.tenant}/${visit.id}/`)
      .update(thumbnail)
      .digest('hex')
      .slice(0, 32)
    if (podcast?.status === 'listed')
      await blobs.shared.put(thumbnailKey(name), thumbnail, { contentType: 'image/jpeg' })
    await transaction(async (db) => {
      await visits.remove(db, visit)
      if (podcast?.status !== 'listed' || podcast.thumbnail === name) return
      await setThumbnail(db, visit, name)
      await record(db, visit.tenant, visit.id, [{ kind: 'podcast', id: visit.id }])
    })
    if (podcast?.thumbnail && podcast.thumbnail !== name) await blobs.shared.delete(thumbnailKey(podcast.thumbnail))
  },

  unchanged: (visit, context) => context.transaction((db) => visits.remove(db, visit)),
  fail: giveUpOrRetry,
}
