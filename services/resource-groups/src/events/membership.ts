import { type AnyJob, type JobContext, job } from '@icosa/kernel'
import type { Tenant } from '../account/jobs.ts'
import * as accounts from '../account/store.ts'
import type { GroupKey } from '../groups/address.ts'
import * as groups from '../groups/store.ts'
import * as members from '../members/store.ts'
import { readQuery } from '../queries/read.ts'
import * as registry from '../queries/registry-store.ts'
import type { FindTypes } from '../queries/types.ts'
import type { Outgoing } from './deliver.ts'
import { membershipEvent } from './event.ts'
import type { EventContext } from './events.ts'
import * as seen from './seen-store.ts'

/** Interval of comparisons and tag-sync: other services change the registry without notice. */
export const compareEveryMs = 60_000

/** Larger groups are not compared. */
const maxComparedMembers = 5_000

const membersPerEvent = 100

const batch = 100

/** Compares all groups of a tenant with their recorded members. */
export type CompareGroups = (tenant: string, context: JobContext) => Promise<void>

export function membershipJobs(region: string, deliver: AnyJob<Outgoing>, findTypes: FindTypes) {
  /** Sends events for the members that a group has gained or lost since the last comparison. */
  async function compareMembers({ db, jobs, clock }: EventContext, key: GroupKey): Promise<void> {
    const group = await groups.lock(db, key)
    if (!group) return
    await members.removeDeleted(db, key)
    const changes = await seen.differences(db, key, await selectionOf(db, group, findTypes), maxComparedMembers)
    if (changes.length === 0) return
    await seen.remember(db, key, changes)
    for (let first = 0; first < changes.length; first += membersPerEvent) {
      const sequence = await groups.nextSequence(db, key)
      if (sequence === undefined) return
      const chunk = changes.slice(first, first + membersPerEvent)
      const event = membershipEvent(group, chunk, { region, now: clock.now(), sequence })
      await jobs.enqueue(deliver, { event, failures: 0 })
    }
  }

  const compareGroups: CompareGroups = async (tenant, { db, transaction, clock }) => {
    const keys = await groups.keys(db, tenant)
    for (const key of keys)
      await transaction((open, jobs) => compareMembers({ db: open, jobs, clock }, { tenant, key }))
  }

  const noticeGroup = job<GroupKey>('noticeGroup', {
    async run(key, { clock }) {
      return (db, jobs) => compareMembers({ db, jobs, clock }, key)
    },
  })

  const noticeTenant = job<Tenant>('noticeTenant', {
    async run({ tenant }, context) {
      await compareGroups(tenant, context)
      return (db) => accounts.stopComparing(db, tenant)
    },
    failed: ({ tenant }, db) => accounts.stopComparing(db, tenant),
  })

  /** Enqueues a job for every tenant with events on, unless its last one is still running. */
  const noticeAll = job<object>('noticeAll', {
    async run(_, { transaction }) {
      const begin = (after: string) =>
        transaction(async (db, jobs) => {
          const tenants = await accounts.startComparing(db, after, batch)
          for (const tenant of tenants) await jobs.enqueue(noticeTenant, { tenant })
          return tenants
        })
      let tenants = await begin('')
      while (tenants.length === batch) tenants = await begin(tenants.at(-1) as string)
    },
  })

  return { compareGroups, noticeGroup, noticeTenant, noticeAll }
}

/** Selects the current members of a group. */
async function selectionOf(db: EventContext['db'], group: groups.GroupRow, findTypes: FindTypes) {
  if (!group.query) return members.selection(group)
  const query = readQuery(group.query)
  const { types } = await findTypes(db, group.tenant, query.types)
  return registry.selection({ tenant: group.tenant, types, query })
}
