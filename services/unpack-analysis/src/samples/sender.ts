import type { ReadingContext } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { type Shelf, shelfOf } from './shelf.ts'

/** Who sent a sample, with the files of that sender and the budgets that it uses. */
export interface Sender {
  readonly tenant: string
  readonly shelf: Shelf
  readonly runtime: ServiceRuntime
  readonly signal: AbortSignal
}

export const senderOf = ({ blobs, caller, runtime, signal }: ReadingContext<ServiceRuntime>): Sender => ({
  tenant: caller.tenant,
  shelf: shelfOf(blobs, caller.tenant),
  runtime,
  signal,
})
