import { record } from '../../changes/store.ts'
import { setTranscript } from '../../episodes/store.ts'
import { textOf } from '../../feeds/parse/charset.ts'
import { plainTranscript } from '../../feeds/parse/transcript.ts'
import { giveUpOrRetry } from './give-up.ts'
import type { Purpose } from './purpose.ts'
import * as visits from './store.ts'

/** Stores an episode's transcript as plain text. */
export const transcriptVisit: Purpose = {
  accept: 'text/plain, text/vtt, application/x-subrip, application/json, text/html;q=0.8',
  maxBytes: 2 * 1024 * 1024,

  async read(visit, { body, headers }, context) {
    const contentType = headers.get('content-type') ?? ''
    const transcript = plainTranscript(textOf(body, contentType), contentType)
    if (transcript === '') return giveUpOrRetry(visit, { reason: 'The transcript is empty.', lasting: true }, context)
    await context.transaction(async (db) => {
      await visits.remove(db, visit)
      const podcastId = await setTranscript(db, visit.tenant, visit.id, transcript)
      if (podcastId !== undefined) await record(db, visit.tenant, podcastId, [{ kind: 'episode', id: visit.id }])
    })
  },

  unchanged: (visit, context) => context.transaction((db) => visits.remove(db, visit)),
  fail: giveUpOrRetry,
}
