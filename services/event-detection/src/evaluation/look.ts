import { type AnyJob, type Job, job } from '@icosa/kernel'
import { timersByTenant } from '../instances/store.ts'
import { tenantsWaiting } from '../mailbox/store.ts'
import { ask, type Evaluation } from '../mailbox/wake.ts'
import { anyToEvaluate } from './look-store.ts'

export const lookEveryMs = 1_000
/** Timers that run out at almost the same time are fired together. */
const batchMs = 50

export const hasWork = (now: Date) => anyToEvaluate(new Date(now.getTime() + lookEveryMs))

/** Looks whose timers have run out, and for whom messages wait that no evaluation was asked for. */
export function lookJob(evaluate: AnyJob<Evaluation>): Job<object> {
  const look: Job<object> = job<object>('look', {
    lane: 'punctual',
    retries: 0, // the next one is a second away
    async run(_, { db: reading, clock }) {
      const now = clock.now()
      const timers = await timersByTenant(reading, now)
      const due = timers.filter(({ isDue }) => isDue).map(({ tenant }) => tenant)
      const tenants = new Set([...due, ...(await tenantsWaiting(reading))])
      const next = timers.reduce(
        (first, one) => Math.min(first, one.next?.getTime() ?? first),
        Number.POSITIVE_INFINITY,
      )
      return async (_db, jobs) => {
        await ask(
          jobs,
          evaluate,
          [...tenants].map((tenant) => ({ tenant })),
        )
        // The next timer is fired to the moment, if that is before the next look.
        if (next > now.getTime() + lookEveryMs) return
        const at = new Date(Math.max(next, now.getTime() + batchMs))
        await jobs.enqueue(look, {}, { at, key: 'next timer' })
      }
    },
  })
  return look
}
