import type { ReadingContext } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { type SenderStorage, storageOf } from './storage.ts'

/** The sender of a sample, with its storage. */
export interface Sender {
  readonly tenant: string
  readonly storage: SenderStorage
  readonly runtime: ServiceRuntime
  readonly signal: AbortSignal
}

export const senderOf = ({ blobs, caller, runtime, signal }: ReadingContext<ServiceRuntime>): Sender => ({
  tenant: caller.tenant,
  storage: storageOf(blobs, caller.tenant),
  runtime,
  signal,
})
