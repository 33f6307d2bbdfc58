import { job } from '@icosa/kernel'
import type { GroupEvents } from '../events/events.ts'
import * as statuses from '../grouping-statuses/store.ts'
import type { GroupKey } from '../groups/address.ts'
import * as groups from '../groups/store.ts'
import * as members from '../members/store.ts'
import { allowedTypes, objection } from './rules.ts'

/** Applies the proposed configuration of a group if its members allow it. */
export function applyConfiguration(events: GroupEvents) {
  return job<GroupKey>('applyConfiguration', {
    async run(key, { clock }) {
      return async (db, jobs) => {
        const before = await groups.lock(db, key)
        if (before?.status !== 'UPDATING' || !before.proposed) return
        const { proposed } = before
        const failureReason = objection(proposed, await members.typesOf(db, key)) ?? null
        const configuration = failureReason !== null ? before.configuration : proposed.length > 0 ? proposed : null
        const after = await groups.setConfiguration(db, key, {
          configuration,
          proposed: failureReason === null ? null : proposed,
          status: failureReason === null ? 'UPDATE_COMPLETE' : 'UPDATE_FAILED',
          failureReason,
        })
        await members.settlePending(db, key, allowedTypes(configuration))
        await statuses.settle(db, key, clock.now())
        await events.stateChanged({ db, jobs, clock }, before, after)
        await events.membersChanged({ db, jobs, clock }, after)
      }
    },
    failed: (key, db) => groups.failConfiguration(db, key, 'It could not be applied: send it again.'),
  })
}
