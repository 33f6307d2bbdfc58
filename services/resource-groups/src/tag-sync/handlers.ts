import { randomUUID } from 'node:crypto'
import { Failure, implement, invalid, type Job, notFound, ok } from '@icosa/kernel'
import { isApplication } from '../configurations/rules.ts'
import { type GroupKey, groupKeyOf } from '../groups/address.ts'
import { lookup } from '../groups/lookup.ts'
import { applicationGroup, tagQuery } from '../names.ts'
import { readQuery } from '../queries/read.ts'
import { demand } from '../resources/demand.ts'
import { tagSync as contract } from './contract.ts'
import { keyOfJob } from './jobs.ts'
import * as store from './store.ts'
import { idIn, startedOf, toTask } from './view.ts'

const maxTasks = 100

export function tagSync(region: string, sync: Job<GroupKey>) {
  const { lockGroup } = lookup(region)

  return implement(contract, {
    async StartTagSyncTask({ body }, context) {
      const { db, jobs, caller, clock } = context
      const criteria = criteriaIn(body)
      demand(caller, criteria.query?.Type ?? tagQuery)
      const group = await lockGroup({ Group: body.Group }, context)
      if (!isApplication(group.configuration))
        throw new Failure(
          'invalid',
          `The group '${group.name}' is not an application group: give it the configuration ${applicationGroup} first.`,
        )
      if ((await store.ofGroup(db, group)).length >= maxTasks)
        throw new Failure('conflict', `The group has ${maxTasks} tasks, which is the limit: cancel one first.`)
      const id = randomUUID()
      await store.insert(db, group, { ...criteria, id, roleArn: body.RoleArn }, clock.now())
      const { tenant, key } = group
      await jobs.enqueue(sync, { tenant, key }, { key: keyOfJob(tenant, key) })
      return ok(startedOf((await store.find(db, tenant, id)) as store.TaskRow, region)) // inserted above
    },

    async GetTagSyncTask({ body: { TaskArn } }, { db, caller }) {
      const id = idIn(TaskArn)
      return ok(toTask((id && (await store.find(db, caller.tenant, id))) || notFound('tag-sync task', TaskArn), region))
    },

    async ListTagSyncTasks({ body }, { db, caller: { tenant } }) {
      const { Filters, MaxResults: limit = 50, NextToken: token } = body
      const keys = Filters?.map(({ GroupArn: Group, GroupName }) =>
        groupKeyOf({ tenant, region }, { ...(Group && { Group }), ...(GroupName && { GroupName }) }),
      ).map(({ key }) => key)
      const { items, next } = await store.list(db, tenant, keys && keys.length > 0 ? keys : undefined, { limit, token })
      return ok({ TagSyncTasks: items.map((task) => toTask(task, region)) }, { next })
    },

    async CancelTagSyncTask({ body: { TaskArn } }, { db, caller }) {
      const id = idIn(TaskArn)
      const task = (id && (await store.find(db, caller.tenant, id))) || undefined
      // The original declares no NotFoundException here.
      if (!task) throw new Failure('invalid', `The tag-sync task '${TaskArn}' was not found.`)
      await store.remove(db, task)
      return ok({})
    },
  })
}

type Body = { readonly TagKey?: string; readonly TagValue?: string; readonly ResourceQuery?: store.Criteria['query'] }

function criteriaIn({ TagKey, TagValue, ResourceQuery: query = null }: Body): store.Criteria {
  if (query) readQuery(query)
  const hasTag = TagKey !== undefined && TagValue !== undefined
  if (hasTag === (query !== null) || (TagKey === undefined) !== (TagValue === undefined))
    invalid([{ at: 'body', message: 'must have TagKey and TagValue, or a ResourceQuery, not both' }])
  return { tagKey: TagKey ?? null, tagValue: TagValue ?? null, query }
}
