import { type AnyJob, type Job, job } from '@icosa/kernel'
import { timersByTenant } from '../instances/store.ts'
import { anyToEvaluate, tenantsWaiting } from '../mailbox/store.ts'
import { type Evaluation, requestEvaluations } from '../mailbox/wake.ts'

export const lookEveryMs = 1_000
/** Timers due at almost the same time fire together. */
const batchMs = 50

export const hasWork = (now: Date) => anyToEvaluate(new Date(now.getTime() + lookEveryMs))

/** Requests evaluations for tenants with due timers, and for queued messages whose wake-up was lost. */
export function lookJob(evaluate: AnyJob<Evaluation>): Job<object> {
  const look: Job<object> = job<object>('look', {
    lane: 'punctual',
    retries: 0, // runs again within a second
    async run(_, { db: reading, clock }) {
      const now = clock.now()
      const timers = await timersByTenant(reading, now)
      const due = timers.filter(({ isDue }) => isDue).map(({ tenant }) => tenant)
      const tenants = new Set([...due, ...(await tenantsWaiting(reading))])
      const next = timers.reduce(
        (earliest, timer) => Math.min(earliest, timer.next?.getTime() ?? earliest),
        Number.POSITIVE_INFINITY,
      )
      return async (_db, jobs) => {
        await requestEvaluations(
          jobs,
          evaluate,
          [...tenants].map((tenant) => ({ tenant })),
        )
        // A timer due before the next run gets its own job.
        if (next > now.getTime() + lookEveryMs) return
        const at = new Date(Math.max(next, now.getTime() + batchMs))
        await jobs.enqueue(look, {}, { at, key: 'next timer' })
      }
    },
  })
  return look
}
