import { type Clock, type Db, type JobsOf, job } from '@icosa/kernel'
import { isApplication } from '../configurations/rules.ts'
import type { GroupEvents } from '../events/events.ts'
import * as statuses from '../grouping-statuses/store.ts'
import type { GroupKey } from '../groups/address.ts'
import * as groups from '../groups/store.ts'
import { arnOfGroup } from '../groups/view.ts'
import { type Query, readQuery } from '../queries/read.ts'
import * as registry from '../queries/registry-store.ts'
import type { FindTypes } from '../queries/types.ts'
import { addMatches, removeStale } from './members-store.ts'
import * as store from './store.ts'

const batch = 100

interface SyncContext {
  readonly db: Db
  readonly jobs: JobsOf
  readonly clock: Clock
}

export function tagSyncJobs(region: string, events: GroupEvents, findTypes: FindTypes) {
  async function sync({ db, jobs, clock }: SyncContext, key: GroupKey): Promise<void> {
    const group = await groups.lock(db, key)
    const tasks = await store.ofGroup(db, key)
    if (!group || tasks.length === 0) return
    if (!isApplication(group.configuration)) {
      await store.setStatus(db, key, 'The group is no longer an application group.')
      return
    }
    const { tenant } = key
    const selections = []
    for (const task of tasks) {
      const query = queryOf(task)
      const { types } = await findTypes(db, tenant, query.types)
      selections.push({ taskId: task.id, selection: registry.selection({ tenant, types, query }) })
    }
    const now = clock.now()
    const removed = await removeStale(db, key, selections)
    const added = await addMatches(db, key, arnOfGroup(group, region), selections)
    await statuses.record(db, key, 'UNGROUP', removed.map(succeeded), now)
    await statuses.record(db, key, 'GROUP', added.map(succeeded), now)
    await store.setStatus(db, key, null)
    if (removed.length + added.length > 0) await events.membersChanged({ db, jobs, clock }, key)
  }

  const syncGroup = job<GroupKey>('syncGroup', {
    async run(key, { clock }) {
      return (db, jobs) => sync({ db, jobs, clock }, key)
    },
    failed: (key, db) => store.setStatus(db, key, 'The members could not be synchronized: it is retried every minute.'),
  })

  /** Enqueues a job for every group with tasks, unless one is waiting. */
  const syncAll = job<object>('syncAll', {
    async run(_, { transaction }) {
      const begin = (after: GroupKey) =>
        transaction(async (db, jobs) => {
          const page = await store.groupsWithTasks(db, after, batch)
          for (const { tenant, key } of page)
            await jobs.enqueue(syncGroup, { tenant, key }, { key: keyOfJob(tenant, key), tenant })
          return page
        })
      let page = await begin({ tenant: '', key: '' })
      while (page.length === batch) page = await begin(page.at(-1) as GroupKey)
    },
  })

  return { syncGroup, syncAll }
}

export const keyOfJob = (tenant: string, key: string) => `${tenant} ${key}`

const succeeded = ({ key, id }: registry.Registered) => ({ key, id, status: 'SUCCESS' as const })

function queryOf({ query, tagKey, tagValue }: store.Criteria): Query {
  if (query) return readQuery(query)
  return { kind: 'tags', types: 'all', filters: [{ key: tagKey ?? '', values: [tagValue ?? ''] }] }
}
