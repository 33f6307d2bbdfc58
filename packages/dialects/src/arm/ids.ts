/** Where a resource stands below its subscription. */
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

/** The id of the resource group, by which other services ask for all that belongs to it. */
export const groupId = ({ subscriptionId, resourceGroupName }: Scope) =>
  `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroupName}`

/** `resourceId(scope, 'Vendor.Sql', 'servers', 'main', 'databases', 'orders')`: names as they were given at creation. */
export function resourceId(scope: Scope, namespace: string, ...segments: string[]): string {
  return `${groupId(scope)}/providers/${namespace}/${segments.join('/')}`
}

const pattern = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)\/providers\/([^/]+)\/(.+)$/i

/** Undefined if it is none. Case and spelling are the caller's: compare them without either. */
export function parseResourceId(id: string): ResourceId | undefined {
  const [, subscriptionId, resourceGroupName, namespace, rest] = pattern.exec(id) ?? []
  if (!subscriptionId || !resourceGroupName || !namespace || !rest) return undefined
  return { subscriptionId, resourceGroupName, namespace, segments: rest.split('/') }
}
