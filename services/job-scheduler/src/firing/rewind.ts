import { type Job, job, systemClock } from '@icosa/kernel'
import { following } from '../jobs/timing.ts'
import * as store from './rewind-store.ts'

export const rewindEveryMs = 60_000
const batch = 500

/**
 * After the clock is moved back, the next occurrences of jobs may be far in the future. Recurring jobs continue with
 * the first one from now.
 */
export const rewind: Job<object> = job<object>('rewind', {
  async run(_, { clock, signal, transaction }) {
    if (clock === systemClock) return // not moved
    const rewindBatch = () =>
      transaction(async (db) => {
        const now = clock.now()
        const ahead = await store.claimAhead(db, now, batch)
        const earlier = ahead.flatMap((row) => {
          const at = following(row, now)
          return at && row.nextExecutionAt && at < row.nextExecutionAt ? [{ ...row, at }] : []
        })
        await store.setNext(db, now, earlier)
        return earlier.length
      })
    while (!signal.aborted && (await rewindBatch()) === batch);
  },
})
