import { hash } from 'node:crypto'
import type { ObservedExchange } from '@icosa/kernel'
import type { Settings } from '../diagnostics/contract.ts'
import { correlationOf } from './correlation.ts'

export interface Decision {
  readonly correlationId: string
  /** Why it is logged; undefined if it is not. */
  readonly because: 'sampled' | 'error' | undefined
}

/** Whether an exchange is logged. The answer is the same on every node and for every request of a trace. */
export function decide(settings: Settings, exchange: ObservedExchange): Decision {
  const { alwaysLog, sampling, verbosity, httpCorrelationProtocol } = settings
  const correlationId = correlationOf(httpCorrelationProtocol, exchange)
  const failed = exchange.status >= 400
  if (!failed && verbosity === 'error') return { correlationId, because: undefined }
  if (failed && alwaysLog === 'allErrors') return { correlationId, because: 'error' }
  return { correlationId, because: isSampled(correlationId, sampling?.percentage ?? 100) ? 'sampled' : undefined }
}

/** Whoever is in a sample of 10 % is also in that of 20 %. */
export function isSampled(correlationId: string, percentage: number): boolean {
  return positionOf(correlationId) * 100 < percentage
}

/** A place in [0, 1) that depends on the id alone and on all of it, so that ids that differ little are spread, too. */
function positionOf(correlationId: string): number {
  return hash('sha256', correlationId, 'buffer').readUIntBE(0, 6) / 2 ** 48
}
