import type { Incoming } from '@icosa/kernel'

/** Polling interval. Without it, some clients wait half a minute. */
export const retryAfter = { 'retry-after': '1' }

/** Headers with the URLs of an operation's status and result. */
export function pollHeaders({ url }: Incoming, namespace: string, id: string, version: string): Record<string, string> {
  const [, root = '', subscription = ''] = /^(.*?)\/subscriptions\/([^/]+)/i.exec(url.pathname) ?? []
  const at = (kind: string) =>
    `${url.origin}${root}/subscriptions/${subscription}/providers/${namespace}/locations/global/${kind}/${id}?api-version=${version}`
  return { 'azure-asyncoperation': at('operationStatuses'), location: at('operationResults'), ...retryAfter }
}
