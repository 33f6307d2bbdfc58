import type { Effect } from '../engine/types.ts'
import type { Concerned } from '../journal/entries.ts'

/** Something to be sent, once or, if a worker dies, again under the same id. */
export interface Delivery extends Omit<Effect, 'id'> {
  readonly of: Concerned
  readonly id: string
  /** When what led to it happened, in epoch milliseconds. */
  readonly at: number
  /** How often it has failed. */
  readonly failures: number
}

export const deliveryOf = (
  of: Concerned,
  { id, action, eventName, target, payload }: Effect,
  at: number,
): Delivery => ({
  of,
  id: `${of.tenant}.${id}`, // two tenants may have the same model
  action,
  eventName,
  target,
  payload,
  at,
  failures: 0,
})
