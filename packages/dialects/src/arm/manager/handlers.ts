import { Failure, implement, ok, type Resource } from '@icosa/kernel'
import { listSubscriptions } from '../bindings.ts'
import type { Arm } from '../contract.ts'
import { groupId } from '../ids.ts'
import { isOwner, subscriptionNotFound } from '../subscriptions.ts'
import { groupRoutes, subscriptionRoutes } from './contract.ts'
import { findGroup, type Group, listGroups } from './groups.ts'

export function subscriptions(api: Arm<string>): Resource {
  return implement(subscriptionRoutes(api as Arm<'Vendor.Area'>), {
    async list(_, { db, caller }) {
      const bindings = await listSubscriptions(db, caller.tenant)
      return ok({ value: bindings.map(({ id }) => toSubscription(id, caller.tenant)) })
    },

    async get({ params: { subscriptionId } }, { db, caller }) {
      if (!(await isOwner(db, subscriptionId, caller.tenant))) subscriptionNotFound(subscriptionId)
      return ok(toSubscription(subscriptionId, caller.tenant))
    },
  })
}

const toSubscription = (id: string, tenantId: string) => ({
  id: `/subscriptions/${id}`,
  subscriptionId: id,
  tenantId,
  displayName: id,
  state: 'Enabled',
})

/** The resource groups that contain resources of the caller, of any service. */
export function resourceGroups(api: Arm<string>): Resource {
  return implement(groupRoutes(api as Arm<'Vendor.Area'>), {
    async list({ params: { subscriptionId }, query }, { db, caller }) {
      const owner = { tenant: caller.tenant, subscription: subscriptionId }
      const { items, next } = await listGroups(db, owner, query.$skipToken)
      return ok({ value: items.map((group) => toGroup(subscriptionId, group)) }, { next })
    },

    async get({ params: { subscriptionId, resourceGroupName } }, { db, caller }) {
      const owner = { tenant: caller.tenant, subscription: subscriptionId }
      const group = await findGroup(db, owner, resourceGroupName)
      if (group) return ok(toGroup(subscriptionId, group))
      throw new Failure(
        'notFound',
        `The resource group '${resourceGroupName}' was not found: it exists once it contains a resource.`,
        { code: 'ResourceGroupNotFound' },
      )
    },
  })
}

const toGroup = (subscriptionId: string, { name }: Group) => ({
  id: groupId({ subscriptionId, resourceGroupName: name }),
  name,
  type: 'Vendor.Resources/resourceGroups',
  location: 'global', // its resources may be anywhere
  properties: { provisioningState: 'Succeeded' },
})
