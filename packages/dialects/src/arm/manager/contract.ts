import { named, Type } from '@icosa/contract'
import { type Arm, listOf } from '../contract.ts'

const Subscription = named('Subscription', {
  id: Type.String(),
  subscriptionId: Type.String(),
  tenantId: Type.String(),
  displayName: Type.String(),
  state: Type.String(),
})

const ResourceGroup = named('ResourceGroup', {
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  location: Type.String(),
  properties: Type.Object({ provisioningState: Type.String() }),
})

/** Routes that generic tools call first. Not in any service's specification. */
export function subscriptionRoutes({ get }: Arm<'Vendor.Area'>) {
  return {
    list: get('/subscriptions', {
      summary: "List the caller's subscriptions.",
      replies: { 200: listOf('SubscriptionListResult', Subscription) },
      extension: true,
    }),
    get: get('/subscriptions/{subscriptionId}', {
      summary: 'Read a subscription of the caller.',
      replies: { 200: Subscription },
      extension: true,
    }),
  }
}

export function groupRoutes({ get }: Arm<'Vendor.Area'>) {
  return {
    list: get('/subscriptions/{subscriptionId}/resourceGroups', {
      summary: 'List the resource groups that contain resources of the caller, of any service.',
      query: { $skipToken: Type.Optional(Type.String({ maxLength: 2000 })) },
      replies: { 200: listOf('ResourceGroupListResult', ResourceGroup) },
      extension: true,
    }),
    get: get('/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}', {
      summary: 'Read a resource group.',
      replies: { 200: ResourceGroup },
      extension: true,
    }),
  }
}
