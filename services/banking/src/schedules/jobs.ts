import { isRefusal, type JobsOf, job } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import { announce } from '../notifications/announce.ts'
import { payOrder } from '../payments/order.ts'
import type { Writing } from '../payments/pay.ts'
import type { Record as Kept } from '../records/store.ts'
import { momentOf } from '../shapes/moments.ts'
import { instanceRecords, type ScheduleBody, scheduleRecords } from './store.ts'
import { timeOf } from './times.ts'

export interface Due {
  readonly id: string
  readonly version: number
  /** Which time of the schedule it is: a job that runs twice pays once. */
  readonly nth: number
}

/** Pays what is due, and waits for the next time. A payment that is refused is written down, and the schedule goes on. */
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
    // The attempt has left nothing behind: what it was refused for is written by itself.
    return async (db, jobs) => {
      await finish({ db, jobs, tenant, at: clock.now() }, due, { error: outcome, payment: null })
    }
  },
  /** The schedule goes on, and the user may retry this payment. */
  async failed(due, db, _, { tenant, clock, jobs }) {
    const error = 'Something went wrong on our side: try this payment again.'
    await finish({ db, jobs, tenant, at: clock.now() }, due, { error, payment: null })
  },
})

const isDue = ({ status, body }: Kept<ScheduleBody>, { version, nth }: Due) =>
  status === 'ACTIVE' && body.version === version && body.next === nth

/** Undefined if it was paid, or there was nothing to pay. */
async function attempt(writing: Writing, due: Due): Promise<undefined> {
  const { db, tenant } = writing
  const kept = await scheduleRecords.lock(db, tenant, due.id)
  if (!kept || !isDue(kept, due)) return
  const from = await accountNamed(db, tenant, kept.account as string)
  const { id } = await payOrder(writing, from, kept.body.payment, { details: { scheduled_id: Number(due.id) } })
  await finish(writing, due, { error: null, payment: id })
}

async function finish(
  writing: Writing,
  due: Due,
  { error, payment }: { readonly error: string | null; readonly payment: string | null },
): Promise<void> {
  const { db, jobs, tenant, at } = writing
  const { id, version } = due
  const kept = await scheduleRecords.lock(db, tenant, id)
  if (!kept || !isDue(kept, due)) return
  const { schedule, next } = kept.body
  const place = { user: kept.user, account: kept.account as string }
  const body = { at: momentOf(timeOf(schedule, next) ?? at), error, payment }
  const status = error === null ? 'FINISHED_SUCCESSFULLY' : 'FAILED_USER_ERROR'
  const instance = await instanceRecords.insert(db, tenant, { ...place, parent: id }, { status, body, at })
  const following = timeOf(schedule, next + 1)
  await scheduleRecords.update(db, tenant, id, {
    status: following ? undefined : 'FINISHED',
    body: { next: next + 1 },
    at,
  })
  if (following) await wait(jobs, { id, version, nth: next + 1 }, following)
  const happened = { category: 'SCHEDULE_RESULT', action: 'CREATE', kind: 'ScheduleInstance', id: instance } as const
  await announce(writing, [{ ...place, ...happened }])
}

export async function wait(jobs: JobsOf, due: Due, at: Date): Promise<void> {
  await jobs.enqueue(paySchedule, due, { at })
}
