import type { ObservedExchange } from '@icosa/kernel'
import type { Settings } from '../diagnostics/contract.ts'

const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/
const hierarchical = /^\|?([^|.\s]{1,128})/

/**
 * What a request has in common with the others of its trace: the trace id of `traceparent`, or the root of `Request-Id`.
 * A request that belongs to no trace stands for itself.
 */
export function correlationOf(
  protocol: Settings['httpCorrelationProtocol'],
  { requestId, request: { headers } }: ObservedExchange,
): string {
  if (protocol === 'None') return requestId
  const [header, pattern] =
    protocol === 'Legacy' ? (['request-id', hierarchical] as const) : (['traceparent', traceparent] as const)
  return pattern.exec(String(headers[header] ?? ''))?.[1] ?? requestId
}
