import type { Incoming } from '@icosa/kernel'

/** How long a client waits between two questions. Without it some wait half a minute. */
export const retryAfter = { 'retry-after': '1' }

/** Where a client asks how an operation goes on, and where it finds what came of it. */
export function pollHeaders({ url }: Incoming, namespace: string, id: string, version: string): Record<string, string> {
  const [, root = '', subscription = ''] = /^(.*?)\/subscriptions\/([^/]+)/i.exec(url.pathname) ?? []
  const at = (kind: string) =>
    `${url.origin}${root}/subscriptions/${subscription}/providers/${namespace}/locations/global/${kind}/${id}?api-version=${version}`
  return { 'azure-asyncoperation': at('operationStatuses'), location: at('operationResults'), ...retryAfter }
}
