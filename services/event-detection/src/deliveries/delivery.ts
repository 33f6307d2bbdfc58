import type { Effect } from '../engine/types.ts'
import type { InstanceRef } from '../journal/entries.ts'

/** Delivery job entry. If a worker dies, it is sent again with the same id. */
export interface Delivery extends Omit<Effect, 'id'> {
  readonly of: InstanceRef
  readonly id: string
  /** Time of the cause, in epoch milliseconds. */
  readonly at: number
  /** Number of failed attempts. */
  readonly failures: number
}

export const deliveryOf = (
  of: InstanceRef,
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
