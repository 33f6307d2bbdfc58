import { isRefusal, job } from '@icosa/kernel'

export interface Allocation {
  readonly rule: string
  readonly account: string
  readonly payment: string
}

/** Loaded later: paying publishes events, which enqueue this job. */
const attempt = async (...args: Parameters<typeof import('./allocate.ts').attempt>) =>
  (await import('./allocate.ts')).attempt(...args)

/** Allocates a received payment by a rule, if it is like that of the rule. A rejection is recorded. */
export const allocatePayment = job<Allocation>('allocatePayment', {
  lane: 'punctual',
  async run(allocation, { tenant, clock, transaction }) {
    const outcome = await transaction(async (db, jobs) =>
      attempt({ db, jobs, tenant, at: clock.now() }, allocation, undefined),
    ).catch((error: unknown) => {
      if (isRefusal(error)) return error.message
      throw error
    })
    if (outcome === undefined) return undefined
    // The attempt was rolled back, so its rejection is recorded separately.
    return async (db, jobs) => {
      await attempt({ db, jobs, tenant, at: clock.now() }, allocation, outcome)
    }
  },
  async failed(allocation, db, _, { tenant, clock, jobs }) {
    const error = 'Something went wrong on our side.'
    await attempt({ db, jobs, tenant, at: clock.now() }, allocation, error)
  },
})
