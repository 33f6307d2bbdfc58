import { type Job, job, systemClock } from '@icosa/kernel'
import { following } from '../jobs/timing.ts'
import * as store from './rewind-store.ts'

export const rewindEveryMs = 60_000
const jobsAtOnce = 500

/**
 * After the clock was moved back, jobs have their next occurrence where the clock had been: a year away, perhaps. Those that
 * repeat themselves begin again with the first one from now on.
 */
export const rewind: Job<object> = job<object>('rewind', {
  async run(_, { clock, signal, transaction }) {
    if (clock === systemClock) return // real time does not go back
    const turn = () =>
      transaction(async (db) => {
        const now = clock.now()
        const ahead = await store.claimAhead(db, now, jobsAtOnce)
        const earlier = ahead.flatMap((one) => {
          const at = following(one, now)
          return at && one.nextExecutionAt && at < one.nextExecutionAt ? [{ ...one, at }] : []
        })
        await store.setNext(db, now, earlier)
        return earlier.length
      })
    while (!signal.aborted && (await turn()) === jobsAtOnce);
  },
})
