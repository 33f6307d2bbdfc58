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
import { addFound, removeLost } from './members-store.ts'
import * as store from './store.ts'

const batch = 100

interface Around {
  readonly db: Db
  readonly jobs: JobsOf
  readonly clock: Clock
}

export function tagSyncJobs(region: string, events: GroupEvents, findTypes: FindTypes) {
  async function sync({ db, jobs, clock }: Around, key: GroupKey): Promise<void> {
    const group = await groups.lock(db, key)
    const tasks = await store.ofGroup(db, key)
    if (!group || tasks.length === 0) return
    if (!isApplication(group.configuration)) {
      await store.setStatus(db, key, 'The group is not an application group any more.')
      return
    }
    const { tenant } = key
    const findings = []
    for (const task of tasks) {
      const query = queryOf(task)
      const { types } = await findTypes(db, tenant, query.types)
      findings.push({ taskId: task.id, selection: registry.selection({ tenant, types, query }) })
    }
    const now = clock.now()
    const gone = await removeLost(db, key, findings)
    const came = await addFound(db, key, arnOfGroup(group, region), findings)
    await statuses.record(db, key, 'UNGROUP', gone.map(succeeded), now)
    await statuses.record(db, key, 'GROUP', came.map(succeeded), now)
    await store.setStatus(db, key, null)
    if (gone.length + came.length > 0) await events.membersChanged({ db, jobs, clock }, key)
  }

  const syncGroup = job<GroupKey>('syncGroup', {
    async run(key, { clock }) {
      return (db, jobs) => sync({ db, jobs, clock }, key)
    },
    failed: (key, db) =>
      store.setStatus(db, key, 'The members could not be brought in line: it is tried every minute.'),
  })

  /** A job for every group that has tasks, unless one is waiting. */
  const syncAll = job<object>('syncAll', {
    async run(_, { transaction }) {
      const begin = (after: GroupKey) =>
        transaction(async (db, jobs) => {
          const some = await store.groupsWithTasks(db, after, batch)
          for (const { tenant, key } of some)
            await jobs.enqueue(syncGroup, { tenant, key }, { key: keyOfJob(tenant, key), tenant })
          return some
        })
      let some = await begin({ tenant: '', key: '' })
      while (some.length === batch) some = await begin(some.at(-1) as GroupKey)
    },
  })

  return { syncGroup, syncAll }
}

export const keyOfJob = (tenant: string, key: string) => `${tenant} ${key}`

const succeeded = ({ key, id }: registry.Registered) => ({ key, id, status: 'SUCCESS' as const })

function queryOf({ query, tagKey, tagValue }: store.Asked): Query {
  if (query) return readQuery(query)
  return { kind: 'tags', types: 'all', filters: [{ key: tagKey ?? '', values: [tagValue ?? ''] }] }
}
