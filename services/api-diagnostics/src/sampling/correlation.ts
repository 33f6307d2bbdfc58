import type { ObservedExchange } from '@icosa/kernel'
import type { Settings } from '../diagnostics/contract.ts'

const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/
const hierarchical = /^\|?([^|.\s]{1,128})/

/**
 * Trace id from `traceparent`, or the root of `Request-Id`. A request without either is its own trace.
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
