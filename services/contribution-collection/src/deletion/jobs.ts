import { job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { removals } from './removals.ts'
import { contributionsOf, removeAssignment, removeContribution } from './store.ts'

const batch = 200
const pauseMs = 2_000

/** Deletes a contribution's files and exports, then its rows. */
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
  /** The last contribution of the previous batch. */
  readonly after?: string
}

/** Deletes the contributions to an assignment in batches, then the assignment. */
export const emptyAssignment = job<Emptying, ServiceRuntime>('emptyAssignment', {
  retries: 20,
  async run({ assignment, after = '0' }, { db, tenant, clock }) {
    const contributions = await contributionsOf(db, tenant, assignment, { after, limit: batch })
    return async (writing, jobs) => {
      await jobs.enqueueAll(
        removeDeleted,
        contributions.map((contribution) => ({ input: { contribution }, key: contribution })),
      )
      const last = contributions.at(-1)
      if (last !== undefined) await jobs.enqueue(emptyAssignment, { assignment, after: last })
      // Waits for pending deletions before deleting the assignment.
      else if (!(await removeAssignment(writing, tenant, assignment)))
        await jobs.enqueue(emptyAssignment, { assignment }, { at: new Date(clock.now().getTime() + pauseMs) })
    }
  },
})
