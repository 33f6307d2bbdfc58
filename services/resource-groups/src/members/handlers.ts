import { currentArn } from '@icosa/dialects/signed/arn'
import { type Context, Failure, implement, ok } from '@icosa/kernel'
import { allowedTypes, isStatic } from '../configurations/rules.ts'
import type { GroupEvents } from '../events/events.ts'
import { lookup } from '../groups/lookup.ts'
import type { GroupRow } from '../groups/store.ts'
import { capacityPool, hostManagement } from '../names.ts'
import * as registry from '../queries/registry-store.ts'
import { members as contract, type Outcome } from './contract.ts'
import * as store from './store.ts'

type Failed = Outcome['Failed'][number]

export function members(region: string, events: GroupEvents) {
  const { locked } = lookup(region)

  async function staticGroup(Group: string, context: Context): Promise<GroupRow> {
    const group = await locked({ Group }, context)
    if (isStatic(group.configuration)) return group
    const kinds = `${hostManagement} or ${capacityPool}`
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
      await events.membersChanged(context, group)
      return ok({
        Succeeded: ids.filter((id) => removed.has(id)),
        Failed: ids.filter((id) => !removed.has(id)).map(notIn),
        Pending: [],
      })
    },
  })
}

/** Each once, as they are registered now. */
const distinct = (ids: readonly string[], { tenant }: GroupRow) => [...new Set(ids.map((id) => currentArn(id, tenant)))]

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
