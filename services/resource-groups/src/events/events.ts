import type { AnyJob, Clock, Db, Job, JobsOf } from '@icosa/kernel'
import * as accounts from '../account/store.ts'
import type { GroupKey } from '../groups/address.ts'
import * as groups from '../groups/store.ts'
import type { Outgoing } from './deliver.ts'
import { isSameState, stateEvent } from './event.ts'

/** The transaction of a change, which also enqueues its event. */
export interface EventContext {
  readonly db: Db
  readonly jobs: JobsOf
  readonly clock: Clock
}

/** Reports changes of groups; nothing is sent unless the tenant has turned events on. */
export interface GroupEvents {
  /** Created if `before` is undefined, deleted if `after` is; a deletion is reported before the row is deleted. */
  stateChanged(
    context: EventContext,
    before: groups.GroupRow | undefined,
    after: groups.GroupRow | undefined,
  ): Promise<void>
  /** Compares the members in the background. */
  membersChanged(context: EventContext, group: GroupKey): Promise<void>
}

export function groupEvents(region: string, deliver: AnyJob<Outgoing>, compareMembers: Job<GroupKey>): GroupEvents {
  return {
    async stateChanged({ db, jobs, clock }, before, after) {
      const group = after ?? before
      if (!group || isSameState(before, after)) return
      const sequence = await groups.nextSequence(db, group)
      if (sequence === undefined) return
      const event = stateEvent(before, after, { region, now: clock.now(), sequence })
      await jobs.enqueue(deliver, { event, failures: 0 })
    },

    async membersChanged({ db, jobs }, { tenant, key }) {
      if ((await accounts.find(db, tenant))?.status === 'ACTIVE')
        await jobs.enqueue(compareMembers, { tenant, key }, { key })
    },
  }
}
