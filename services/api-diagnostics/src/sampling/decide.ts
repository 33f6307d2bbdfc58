import { hash } from 'node:crypto'
import type { ObservedExchange } from '@icosa/kernel'
import type { Settings } from '../diagnostics/contract.ts'

export interface Decision {
  readonly correlationId: string
  /** Undefined if the exchange is not logged. */
  readonly because: 'sampled' | 'error' | undefined
}

/** Decides whether an exchange is logged: the same on every node and for all requests of a trace. */
export function decide(settings: Settings, exchange: ObservedExchange): Decision {
  const { alwaysLog, sampling, verbosity, httpCorrelationProtocol } = settings
  const correlationId = correlationOf(httpCorrelationProtocol, exchange)
  const failed = exchange.status >= 400
  if (!failed && verbosity === 'error') return { correlationId, because: undefined }
  if (failed && alwaysLog === 'allErrors') return { correlationId, because: 'error' }
  return { correlationId, because: isSampled(correlationId, sampling?.percentage ?? 100) ? 'sampled' : undefined }
}

/** A 20 % sample contains the 10 % sample. */
export function isSampled(correlationId: string, percentage: number): boolean {
  return positionOf(correlationId) * 100 < percentage
}

/** Hashes an id to [0, 1), so that similar ids are spread evenly. */
function positionOf(correlationId: string): number {
  return hash('sha256', correlationId, 'buffer').readUIntBE(0, 6) / 2 ** 48
}

const traceparent = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}(?:-|$)/
const hierarchical = /^\|?([^|.\s]{1,128})/

/**
 * Trace id from `traceparent`, or the root of `Request-Id`. A request without either is its own trace.
 */
function correlationOf(
  protocol: Settings['httpCorrelationProtocol'],
  { requestId, request: { headers } }: ObservedExchange,
): string {
  if (protocol === 'None') return requestId
  const [header, pattern] =
    protocol === 'Legacy' ? (['request-id', hierarchical] as const) : (['traceparent', traceparent] as const)
  return pattern.exec(String(headers[header] ?? ''))?.[1] ?? requestId
}
