import { hash } from 'node:crypto'
import type { ObservedExchange } from '@icosa/kernel'
import type { Settings } from '../diagnostics/contract.ts'
import { correlationOf } from './correlation.ts'

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
