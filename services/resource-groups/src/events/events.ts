import type { Clock, Db, Job, JobsOf } from '@icosa/kernel'
import * as accounts from '../account/store.ts'
import type { GroupKey } from '../groups/address.ts'
import * as groups from '../groups/store.ts'
import { type GroupEvent, isSameState, stateEvent } from './event.ts'

/** The transaction in which something happens, and in which an event of it is put on its way. */
export interface Within {
  readonly db: Db
  readonly jobs: JobsOf
  readonly clock: Clock
}

/** What handlers and jobs tell of groups; nothing of it goes out unless the tenant wants to hear it. */
export interface GroupEvents {
  /** Created if there was nothing before, deleted if there is nothing after. Of one that goes, before it goes. */
  stateChanged(within: Within, before: groups.GroupRow | undefined, after: groups.GroupRow | undefined): Promise<void>
  /** Its members may be others now: they are compared in the background. */
  membersChanged(within: Within, group: GroupKey): Promise<void>
}

export function groupEvents(region: string, deliver: Job<GroupEvent>, notice: Job<GroupKey>): GroupEvents {
  return {
    async stateChanged({ db, jobs, clock }, before, after) {
      const group = after ?? before
      if (!group || isSameState(before, after)) return
      const sequence = await groups.nextSequence(db, group)
      if (sequence === undefined) return
      await jobs.enqueue(deliver, stateEvent(before, after, { region, now: clock.now(), sequence }))
    },

    async membersChanged({ db, jobs }, { tenant, key }) {
      if ((await accounts.find(db, tenant))?.status === 'ACTIVE') await jobs.enqueue(notice, { tenant, key })
    },
  }
}
