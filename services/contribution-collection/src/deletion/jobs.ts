import { job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { removals } from './removals.ts'
import { contributionsOf, removeAssignment, removeContribution } from './store.ts'

const batch = 200
const pauseMs = 2_000

/** What a contribution leaves behind, then itself. */
export const removeDeleted = job<{ readonly contribution: string }, ServiceRuntime>('removeContribution', {
  retries: 20,
  async run({ contribution }, context) {
    for (const remove of removals) await remove(contribution, context)
    return async (db) => {
      await removeContribution(db, context.tenant, contribution)
    }
  },
})

interface Emptying {
  readonly assignment: string
  /** The last contribution that was found. */
  readonly after?: string
}

/** All that was sent to an assignment, a batch at a time, then the assignment. */
export const emptyAssignment = job<Emptying, ServiceRuntime>('emptyAssignment', {
  retries: 20,
  async run({ assignment, after = '0' }, { db, tenant, clock }) {
    const found = await contributionsOf(db, tenant, assignment, { after, limit: batch })
    return async (writing, jobs) => {
      await jobs.enqueueAll(
        removeDeleted,
        found.map((contribution) => ({ input: { contribution }, key: contribution })),
      )
      const last = found.at(-1)
      if (last !== undefined) await jobs.enqueue(emptyAssignment, { assignment, after: last })
      // Those that are on their way are waited for: the assignment goes last.
      else if (!(await removeAssignment(writing, tenant, assignment)))
        await jobs.enqueue(emptyAssignment, { assignment }, { at: new Date(clock.now().getTime() + pauseMs) })
    }
  },
})
