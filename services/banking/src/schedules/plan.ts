import { invalid } from '@icosa/kernel'
import type { Account } from '../accounts/store.ts'
import type { OrderBody } from '../payments/order.ts'
import { amountIn, destinationOf, type Writing } from '../payments/pay.ts'
import { readMoment } from '../shapes/moments.ts'
import { enqueuePayment } from './jobs.ts'
import { scheduleStore } from './store.ts'
import { type Recurrence, timeOf } from './times.ts'

/** The first time of a schedule, which must be in the future. */
export function firstTime(schedule: Recurrence, now: Date): Date {
  for (const moment of [schedule.time_start, schedule.time_end])
    if (typeof moment === 'string' && !readMoment(moment))
      invalid([{ at: 'body/schedule', message: `${moment} is not a time` }])
  const at = timeOf(schedule, 0)
  return at && at >= now ? at : invalid([{ at: 'body/schedule/time_start', message: 'must be in the future' }])
}

/** Rejects a payment that could never be made from an account. */
export async function checkOrder(
  { db, tenant }: Pick<Writing, 'db' | 'tenant'>,
  from: Account,
  { amount, counterparty_alias }: OrderBody,
  at = 'body',
): Promise<void> {
  amountIn(from.currency, amount, `${at}/amount`)
  await destinationOf(db, tenant, counterparty_alias)
}

/** Returns the id of the schedule. */
export async function schedulePayment(
  writing: Writing,
  from: Account,
  { payment, schedule }: { readonly payment: OrderBody; readonly schedule: Recurrence },
): Promise<string> {
  const { db, jobs, tenant, at } = writing
  await checkOrder(writing, from, payment, 'body/payment')
  const first = firstTime(schedule, at)
  const body = { payment, schedule, next: 0, version: 0 }
  const id = await scheduleStore.insert(
    db,
    tenant,
    { user: from.user, account: from.id },
    { status: 'ACTIVE', body, at },
  )
  await enqueuePayment(jobs, { id, version: 0, nth: 0 }, first)
  return id
}
