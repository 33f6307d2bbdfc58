import type { JobContext, OutboundResponse } from '@icosa/kernel'
import type { ServiceRuntime } from '../../runtime.ts'
import type { Outcome } from '../request.ts'
import type { Visit } from './visit.ts'

export type Failed = Pick<Extract<Outcome, { readonly kind: 'failed' }>, 'reason' | 'lasting' | 'backoffMs'>

/** Handles one kind of visit: what to request, and how to store the response. */
export interface Purpose {
  readonly accept: string
  readonly maxBytes: number
  read(visit: Visit, response: OutboundResponse, context: JobContext<ServiceRuntime>): Promise<void>
  unchanged(visit: Visit, context: JobContext): Promise<void>
  fail(visit: Visit, failed: Failed, context: JobContext): Promise<void>
}
