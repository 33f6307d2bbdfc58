import { type Db, Failure, implement, notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { created, emptyReply, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { payOrder, writingOf } from '../payments/order.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { schedules as contract } from './contract.ts'
import { enqueuePayment } from './jobs.ts'
import { checkOrder, firstTime, schedulePayment } from './plan.ts'
import { instanceStore, type ScheduleBody, scheduleStore } from './store.ts'
import { stamps, toInstance, toRecurrence } from './view.ts'

type ItemParams = AccountParams & { readonly itemId: string }

const scheduleOf = async (db: ReadingDb, tenant: string, params: AccountParams, id: string) =>
  (await scheduleStore.find(db, tenant, placeOf(params), id)) ?? notFound('scheduled payment', id)

async function lockActive(db: Db, tenant: string, params: ItemParams) {
  const { id } = await scheduleOf(db, tenant, params, params.itemId)
  const schedule = (await scheduleStore.lock(db, tenant, id)) ?? notFound('scheduled payment', id)
  if (schedule.status !== 'ACTIVE')
    throw new Failure('invalid', `The schedule is already ${schedule.status.toLowerCase()}.`)
  return schedule
}

const toSchedule = (row: Stored<ScheduleBody>) => ({
  ...stamps(row),
  ...toRecurrence(row.body.schedule),
  status: row.status,
})

const toScheduled = (row: Stored<ScheduleBody>) => ({
  ...stamps(row),
  monetary_account_id: Number(row.account),
  payment: row.body.payment as never,
  schedule: toSchedule(row),
  status: row.status,
})

export const schedules = implement(contract, {
  async createSchedulePayment({ params, body }, context) {
    const account = await existingAccount(context.db, context.caller.tenant, params['monetary-accountID'])
    return created(await schedulePayment(writingOf(context), account, body))
  },
  async listSchedulePayments({ params, query }, { db, caller }) {
    const rows = await scheduleStore.list(db, caller.tenant, placeOf(params), query)
    return listed('ScheduledPayment', query, rows, toScheduled, ({ id }) => Number(id))
  },
  async getSchedulePayment({ params }, { db, caller }) {
    return itemReply('ScheduledPayment', toScheduled(await scheduleOf(db, caller.tenant, params, params.itemId)))
  },
  async updateSchedulePayment({ params, body: { payment, schedule } }, context) {
    const { db, jobs, tenant, at } = writingOf(context)
    const current = await lockActive(db, tenant, params)
    const { id } = current
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    if (payment) await checkOrder({ db, tenant }, account, payment, 'body/payment')
    const version = current.body.version + 1
    const first = schedule && firstTime(schedule, at)
    const change = { ...(payment && { payment }), ...(schedule && { schedule, next: 0, version }) }
    await scheduleStore.update(db, tenant, id, { body: change, at })
    if (first) await enqueuePayment(jobs, { id, version, nth: 0 }, first)
    return created(id)
  },
  async deleteSchedulePayment({ params }, { db, caller, clock }) {
    const { id } = await lockActive(db, caller.tenant, params)
    await scheduleStore.update(db, caller.tenant, id, { status: 'CANCELLED', at: clock.now() })
    return emptyReply()
  },
  async listSchedules({ params, query }, { db, caller }) {
    const rows = await scheduleStore.list(db, caller.tenant, placeOf(params), query)
    return listed('Schedule', query, rows, toSchedule, ({ id }) => Number(id))
  },
  async getSchedule({ params }, { db, caller }) {
    return itemReply('Schedule', toSchedule(await scheduleOf(db, caller.tenant, params, params.itemId)))
  },
  async listScheduleInstances({ params, query }, { db, caller }) {
    const { id: parent } = await scheduleOf(db, caller.tenant, params, params.scheduleID)
    const rows = await instanceStore.list(db, caller.tenant, { ...placeOf(params), parent }, query)
    return listed('ScheduleInstance', query, rows, toInstance, ({ id }) => Number(id))
  },
  async getScheduleInstance({ params }, { db, caller }) {
    return itemReply('ScheduleInstance', toInstance(await instanceOf(db, caller.tenant, params)))
  },
  async updateScheduleInstance({ params }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const { id } = await instanceOf(db, tenant, params)
    const instance = (await instanceStore.lock(db, tenant, id)) ?? notFound('instance', id)
    if (instance.status !== 'FAILED_USER_ERROR') throw new Failure('invalid', 'Only failed payments can be retried.')
    const { body } = await scheduleOf(db, tenant, params, params.scheduleID)
    const from = await existingAccount(db, tenant, params['monetary-accountID'])
    const details = { scheduled_id: Number(params.scheduleID) }
    const { id: payment } = await payOrder(writing, from, body.payment, { details })
    const change = { status: 'FINISHED_SUCCESSFULLY', body: { error: null, payment }, at }
    await instanceStore.update(db, tenant, id, change)
    return created(id)
  },
})

async function instanceOf(db: ReadingDb, tenant: string, params: ItemParams & { readonly scheduleID: string }) {
  const { id: parent } = await scheduleOf(db, tenant, params, params.scheduleID)
  const instance = await instanceStore.find(db, tenant, { ...placeOf(params), parent }, params.itemId)
  return instance ?? notFound('instance', params.itemId)
}
