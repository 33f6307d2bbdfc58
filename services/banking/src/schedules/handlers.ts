import { type Db, Failure, implement, notFound, type ReadingDb } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import { created, found, listed, nothing } from '../dialect/reply.ts'
import { payOrder, writingOf } from '../payments/order.ts'
import type { Record as Kept } from '../records/store.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { schedules as contract } from './contract.ts'
import { wait } from './jobs.ts'
import { checkOrder, firstTime, schedulePayment } from './plan.ts'
import { instanceRecords, type ScheduleBody, scheduleRecords } from './store.ts'
import { stamps, toInstance, toRecurrence } from './view.ts'

type Asked = AccountParams & { readonly itemId: string }

const scheduleOf = async (db: ReadingDb, tenant: string, params: AccountParams, id: string) =>
  (await scheduleRecords.find(db, tenant, placeOf(params), id)) ?? notFound('scheduled payment', id)

async function lockActive(db: Db, tenant: string, params: Asked) {
  const { id } = await scheduleOf(db, tenant, params, params.itemId)
  const kept = (await scheduleRecords.lock(db, tenant, id)) ?? notFound('scheduled payment', id)
  if (kept.status !== 'ACTIVE') throw new Failure('invalid', `The schedule is ${kept.status.toLowerCase()} already.`)
  return kept
}

const toSchedule = (kept: Kept<ScheduleBody>) => ({
  ...stamps(kept),
  ...toRecurrence(kept.body.schedule),
  status: kept.status,
})

const toScheduled = (kept: Kept<ScheduleBody>) => ({
  ...stamps(kept),
  monetary_account_id: Number(kept.account),
  payment: kept.body.payment as never,
  schedule: toSchedule(kept),
  status: kept.status,
})

export const schedules = implement(contract, {
  async createSchedulePayment({ params, body }, context) {
    const account = await accountNamed(context.db, context.caller.tenant, params['monetary-accountID'])
    return created(await schedulePayment(writingOf(context), account, body))
  },
  async listSchedulePayments({ params, query }, { db, caller }) {
    const rows = await scheduleRecords.list(db, caller.tenant, placeOf(params), query)
    return listed('ScheduledPayment', query, rows, toScheduled, ({ id }) => Number(id))
  },
  async getSchedulePayment({ params }, { db, caller }) {
    return found('ScheduledPayment', toScheduled(await scheduleOf(db, caller.tenant, params, params.itemId)))
  },
  async updateSchedulePayment({ params, body: { payment, schedule } }, context) {
    const { db, jobs, tenant, at } = writingOf(context)
    const kept = await lockActive(db, tenant, params)
    const { id } = kept
    const account = await accountNamed(db, tenant, params['monetary-accountID'])
    if (payment) await checkOrder({ db, tenant }, account, payment, 'body/payment')
    const version = kept.body.version + 1
    const first = schedule && firstTime(schedule, at)
    const change = { ...(payment && { payment }), ...(schedule && { schedule, next: 0, version }) }
    await scheduleRecords.update(db, tenant, id, { body: change, at })
    if (first) await wait(jobs, { id, version, nth: 0 }, first)
    return created(id)
  },
  async deleteSchedulePayment({ params }, { db, caller, clock }) {
    const { id } = await lockActive(db, caller.tenant, params)
    await scheduleRecords.update(db, caller.tenant, id, { status: 'CANCELLED', at: clock.now() })
    return nothing()
  },
  async listSchedules({ params, query }, { db, caller }) {
    const rows = await scheduleRecords.list(db, caller.tenant, placeOf(params), query)
    return listed('Schedule', query, rows, toSchedule, ({ id }) => Number(id))
  },
  async getSchedule({ params }, { db, caller }) {
    return found('Schedule', toSchedule(await scheduleOf(db, caller.tenant, params, params.itemId)))
  },
  async listScheduleInstances({ params, query }, { db, caller }) {
    const { id: parent } = await scheduleOf(db, caller.tenant, params, params.scheduleID)
    const rows = await instanceRecords.list(db, caller.tenant, { ...placeOf(params), parent }, query)
    return listed('ScheduleInstance', query, rows, toInstance, ({ id }) => Number(id))
  },
  async getScheduleInstance({ params }, { db, caller }) {
    return found('ScheduleInstance', toInstance(await instanceOf(db, caller.tenant, params)))
  },
  async updateScheduleInstance({ params }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const instance = await instanceOf(db, tenant, params)
    const kept = (await instanceRecords.lock(db, tenant, instance.id)) ?? notFound('instance', instance.id)
    if (kept.status !== 'FAILED_USER_ERROR') throw new Failure('invalid', 'What succeeded is not tried again.')
    const { body } = await scheduleOf(db, tenant, params, params.scheduleID)
    const from = await accountNamed(db, tenant, params['monetary-accountID'])
    const details = { scheduled_id: Number(params.scheduleID) }
    const { id: payment } = await payOrder(writing, from, body.payment, { details })
    const change = { status: 'FINISHED_SUCCESSFULLY', body: { error: null, payment }, at }
    await instanceRecords.update(db, tenant, kept.id, change)
    return created(kept.id)
  },
})

async function instanceOf(db: ReadingDb, tenant: string, params: Asked & { readonly scheduleID: string }) {
  const { id: parent } = await scheduleOf(db, tenant, params, params.scheduleID)
  const kept = await instanceRecords.find(db, tenant, { ...placeOf(params), parent }, params.itemId)
  return kept ?? notFound('instance', params.itemId)
}
