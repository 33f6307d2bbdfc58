import { invalid } from '@icosa/kernel'
import type { Account } from '../accounts/store.ts'
import type { Stored } from '../documents/store.ts'
import type { OrderBody } from '../payments/order.ts'
import { amountIn, destinationOf, type Writing } from '../payments/pay.ts'
import { readMoment } from '../shapes/moments.ts'
import { enqueuePayment } from './jobs.ts'
import { type ScheduleBody, type ScheduleKind, scheduleStores } from './store.ts'
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

interface Planned {
  readonly schedule: Recurrence
}

/** Returns the id of the schedule. */
export async function schedulePayment(
  writing: Writing,
  from: Account,
  { payment, schedule }: Planned & { readonly payment: OrderBody },
): Promise<string> {
  await checkOrder(writing, from, payment, 'body/payment')
  return insert(writing, from, 'SchedulePayment', { payment, schedule })
}

export async function scheduleBatch(
  writing: Writing,
  from: Account,
  { payments, schedule }: Planned & { readonly payments: readonly OrderBody[] },
): Promise<string> {
  for (const payment of payments) await checkOrder(writing, from, payment, 'body/payments')
  return insert(writing, from, 'SchedulePaymentBatch', { payments, schedule })
}

async function insert(
  { db, jobs, tenant, at }: Writing,
  from: Account,
  kind: ScheduleKind,
  planned: Pick<ScheduleBody, 'payment' | 'payments' | 'schedule'>,
): Promise<string> {
  const first = firstTime(planned.schedule, at)
  const body = { ...planned, next: 0, version: 0 }
  const place = { user: from.user, account: from.id }
  const id = await scheduleStores[kind].insert(db, tenant, place, { status: 'ACTIVE', body, at })
  await enqueuePayment(jobs, { kind, id, version: 0, nth: 0 }, first)
  return id
}

type Changes = Partial<Pick<ScheduleBody, 'payment' | 'payments' | 'schedule'>>

/** Changes a schedule that is active, and returns its id. */
export async function changeSchedule(
  { db, jobs, tenant, at }: Writing,
  kind: ScheduleKind,
  { id, body }: Pick<Stored<ScheduleBody>, 'id' | 'body'>,
  { schedule, ...orders }: Changes,
): Promise<string> {
  const version = body.version + 1
  const first = schedule && firstTime(schedule, at)
  const change = { ...orders, ...(schedule && { schedule, next: 0, version }) }
  await scheduleStores[kind].update(db, tenant, id, { body: change, at })
  if (first) await enqueuePayment(jobs, { kind, id, version, nth: 0 }, first)
  return id
}
