import { isRefusal, type JobsOf, job } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import type { Account } from '../accounts/store.ts'
import type { Stored } from '../documents/store.ts'
import { publish } from '../notifications/publish.ts'
import { payBatch } from '../payments/batch.ts'
import { type OrderBody, payOrder } from '../payments/order.ts'
import type { Writing } from '../payments/pay.ts'
import { momentOf } from '../shapes/moments.ts'
import { type InstanceBody, instanceStore, type ScheduleBody, type ScheduleKind, scheduleStores } from './store.ts'
import { timeOf } from './times.ts'

export interface Due {
  /** Undefined in jobs of earlier versions, which pay once. */
  readonly kind?: ScheduleKind
  readonly id: string
  readonly version: number
  /** Index of the occurrence: a job that runs twice pays once. */
  readonly nth: number
}

/** Makes a due payment, and schedules the next one. A rejected payment is recorded, and the schedule continues. */
export const paySchedule = job<Due>('paySchedule', {
  lane: 'punctual',
  async run(due, { tenant, clock, transaction }) {
    const outcome = await transaction(async (db, jobs) => attempt({ db, jobs, tenant, at: clock.now() }, due)).catch(
      (error: unknown) => {
        if (isRefusal(error)) return error.message
        throw error
      },
    )
    if (outcome === undefined) return undefined
    // The attempt was rolled back, so its rejection is recorded separately.
    return async (db, jobs) => {
      await finish({ db, jobs, tenant, at: clock.now() }, due, { error: outcome, payment: null })
    }
  },
  /** The schedule continues, and the user may retry this payment. */
  async failed(due, db, _, { tenant, clock, jobs }) {
    const error = 'Something went wrong on our side: retry this payment.'
    await finish({ db, jobs, tenant, at: clock.now() }, due, { error, payment: null })
  },
})

const storeOf = ({ kind = 'SchedulePayment' }: Due) => scheduleStores[kind]

const isDue = ({ status, body }: Stored<ScheduleBody>, { version, nth }: Due) =>
  status === 'ACTIVE' && body.version === version && body.next === nth

async function attempt(writing: Writing, due: Due): Promise<undefined> {
  const { db, tenant } = writing
  const schedule = await storeOf(due).lock(db, tenant, due.id)
  if (!schedule || !isDue(schedule, due)) return
  const from = await existingAccount(db, tenant, schedule.account as string)
  await finish(writing, due, { error: null, ...(await payDue(writing, from, due.id, schedule.body)) })
}

/** Makes the payment of a schedule, or its batch of payments. */
export async function payDue(
  writing: Writing,
  from: Account,
  id: string,
  { payment, payments }: Pick<ScheduleBody, 'payment' | 'payments'>,
): Promise<Pick<InstanceBody, 'payment' | 'batch'>> {
  const details = { scheduled_id: Number(id) }
  if (payments) return { payment: null, batch: await payBatch(writing, from, payments, { details }) }
  return { payment: (await payOrder(writing, from, payment as OrderBody, { details })).id }
}

async function finish(writing: Writing, due: Due, { error, payment, batch }: Omit<InstanceBody, 'at'>): Promise<void> {
  const { db, jobs, tenant, at } = writing
  const { id, version, kind } = due
  const row = await storeOf(due).lock(db, tenant, id)
  if (!row || !isDue(row, due)) return
  const { schedule, next } = row.body
  const place = { user: row.user, account: row.account as string }
  const body = { at: momentOf(timeOf(schedule, next) ?? at), error, payment, ...(batch !== undefined && { batch }) }
  const status = error === null ? 'FINISHED_SUCCESSFULLY' : 'FAILED_USER_ERROR'
  const instance = await instanceStore.insert(db, tenant, { ...place, parent: id }, { status, body, at })
  const following = timeOf(schedule, next + 1)
  await storeOf(due).update(db, tenant, id, {
    status: following ? undefined : 'FINISHED',
    body: { next: next + 1 },
    at,
  })
  if (following) await enqueuePayment(jobs, { ...(kind && { kind }), id, version, nth: next + 1 }, following)
  await publish(writing, [
    { ...place, category: 'SCHEDULE_RESULT', action: 'CREATE', kind: 'ScheduleInstance', id: instance },
  ])
}

export async function enqueuePayment(jobs: JobsOf, due: Due, at: Date): Promise<void> {
  await jobs.enqueue(paySchedule, due, { at })
}
