/** Location of a resource below its subscription. */
export interface Scope {
  readonly subscriptionId: string
  readonly resourceGroupName: string
}

export interface ResourceId extends Scope {
  /** `Vendor.Sql` */
  readonly namespace: string
  /** `['servers', 'main', 'databases', 'orders']` */
  readonly segments: readonly string[]
}

/** ID of the resource group, by which other services query its members. */
export const groupId = ({ subscriptionId, resourceGroupName }: Scope) =>
  `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroupName}`

/** `resourceId(scope, 'Vendor.Sql', 'servers', 'main', 'databases', 'orders')`: names in their original case. */
export function resourceId(scope: Scope, namespace: string, ...segments: string[]): string {
  return `${groupId(scope)}/providers/${namespace}/${segments.join('/')}`
}

const pattern = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+)\/(.+)$/i

/** Returns undefined for other texts. Case is the caller's: compare without it. */
export function parseResourceId(id: string): ResourceId | undefined {
  const [, subscriptionId, resourceGroupName, namespace, rest] = pattern.exec(id) ?? []
  if (!subscriptionId || !resourceGroupName || !namespace || !rest) return undefined
  return { subscriptionId, resourceGroupName, namespace, segments: rest.split('/') }
}
