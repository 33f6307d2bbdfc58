import type { ReadingContext } from '@icosa/kernel'
import type { Held } from '../held.ts'
import { type Shelf, shelfOf } from './shelf.ts'

/** Who sent a sample, with the files of that sender and the budgets that it uses. */
export interface Sender {
  readonly tenant: string
  readonly shelf: Shelf
  readonly held: Held
  readonly signal: AbortSignal
}

export const senderOf = ({ blobs, caller, held, signal }: ReadingContext<Held>): Sender => ({
  tenant: caller.tenant,
  shelf: shelfOf(blobs, caller.tenant),
  held,
  signal,
})
