import { currentArn } from '@icosa/dialects/signed/arn'
import { type Context, Failure, implement, ok } from '@icosa/kernel'
import { allowedTypes, holders, isStatic } from '../configurations/rules.ts'
import type { GroupEvents } from '../events/events.ts'
import * as statuses from '../grouping-statuses/store.ts'
import { lookup } from '../groups/lookup.ts'
import type { GroupRow } from '../groups/store.ts'
import * as registry from '../queries/registry-store.ts'
import { members as contract, type Outcome } from './contract.ts'
import * as store from './store.ts'

type Failed = Outcome['Failed'][number]

export function members(region: string, events: GroupEvents) {
  const { locked } = lookup(region)

  async function staticGroup(Group: string, context: Context): Promise<GroupRow> {
    const group = await locked({ Group }, context)
    if (isStatic(group.configuration)) return group
    const kinds = holders.join(' or ')
    throw new Failure(
      'invalid',
      `The group '${group.name}' does not accept resources: its configuration is not ${kinds}.`,
    )
  }

  return implement(contract, {
    async GroupResources({ body }, context) {
      const { db } = context
      const group = await staticGroup(body.Group, context)
      const ids = distinct(body.ResourceArns, group)
      const found = await registry.findByIds(db, group.tenant, ids)
      const allowed = allowedTypes(group.configuration)
      const failed = ids.flatMap((id) => {
        const resource = found.get(id)
        if (!resource) return [notThere(id)]
        return allowed === 'all' || allowed.includes(resource.type.toLowerCase()) ? [] : [notAllowed(id, resource.type)]
      })
      const taken = ids.filter((id) => !failed.some(({ ResourceArn }) => ResourceArn === id))
      const keyOf = (id: string) => (found.get(id) as registry.Registered).key // those that are not found have failed
      const waiting = await store.add(db, group, taken.map(keyOf), group.status === 'UPDATING')
      await events.membersChanged(context, group)
      const waits = (id: string) => waiting.has(keyOf(id))
      const done = taken.map((id) => outcome(id, waits(id) ? 'IN_PROGRESS' : 'SUCCESS'))
      await statuses.record(db, group, 'GROUP', [...done, ...failed.map(failure)], context.clock.now())
      return ok({
        Succeeded: taken.filter((id) => !waits(id)),
        Failed: failed,
        Pending: taken.filter(waits).map((ResourceArn) => ({ ResourceArn })),
      })
    },

    async UngroupResources({ body }, context) {
      const group = await staticGroup(body.Group, context)
      const ids = distinct(body.ResourceArns, group)
      const removed = await store.remove(context.db, group, ids)
      const failed = ids.filter((id) => !removed.has(id)).map(notIn)
      const done = [...[...removed].map((id) => outcome(id, 'SUCCESS')), ...failed.map(failure)]
      await statuses.record(context.db, group, 'UNGROUP', done, context.clock.now())
      await events.membersChanged(context, group)
      return ok({
        Succeeded: ids.filter((id) => removed.has(id)),
        Failed: failed,
        Pending: [],
      })
    },
  })
}

/** As they are registered now. Ids are the same in any case: of two spellings the first counts. */
const distinct = (ids: readonly string[], { tenant }: GroupRow) => {
  const current = ids.map((id) => currentArn(id, tenant)).toReversed()
  return [...new Map(current.map((id) => [id.toLowerCase(), id])).values()].reverse()
}

const outcome = (id: string, status: 'SUCCESS' | 'IN_PROGRESS') => ({ key: id.toLowerCase(), id, status })

const failure = ({ ResourceArn: id, ErrorCode: errorCode, ErrorMessage: errorMessage }: Failed) => ({
  key: id.toLowerCase(),
  id,
  status: 'FAILED' as const,
  errorCode,
  errorMessage,
})

const notThere = (id: string): Failed => ({
  ResourceArn: id,
  ErrorCode: 'RESOURCE_NOT_FOUND',
  ErrorMessage: 'No service has registered such a resource: look it up with a search.',
})

const notAllowed = (id: string, type: string): Failed => ({
  ResourceArn: id,
  ErrorCode: 'RESOURCE_TYPE_NOT_ALLOWED',
  ErrorMessage: `The group's configuration does not allow the type ${type}: see allowed-resource-types.`,
})

const notIn = (id: string): Failed => ({
  ResourceArn: id,
  ErrorCode: 'RESOURCE_NOT_IN_GROUP',
  ErrorMessage: 'The resource is not a member of the group.',
})
