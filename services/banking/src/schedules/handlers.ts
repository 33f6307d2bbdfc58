import { type Db, Failure, implement, invalid, notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { created, emptyReply, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { writingOf } from '../payments/order.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { schedules as contract } from './contract.ts'
import { payDue } from './jobs.ts'
import { changeSchedule, checkOrder, scheduleBatch, schedulePayment } from './plan.ts'
import {
  instanceStore,
  listSchedules,
  type ScheduleBody,
  type ScheduleKind,
  scheduleStore,
  scheduleStores,
} from './store.ts'
import { stamps, toInstance, toRecurrence } from './view.ts'

type ItemParams = AccountParams & { readonly itemId: string }

const scheduleOf = async (
  db: ReadingDb,
  tenant: string,
  params: AccountParams,
  id: string,
  kind: ScheduleKind = 'SchedulePayment',
) => (await scheduleStores[kind].find(db, tenant, placeOf(params), id)) ?? notFound('scheduled payment', id)

/** A schedule of any kind, whose runs are read alike. */
async function anySchedule(db: ReadingDb, tenant: string, params: AccountParams, id: string) {
  const single = await scheduleStore.find(db, tenant, placeOf(params), id)
  return single ?? (await scheduleOf(db, tenant, params, id, 'SchedulePaymentBatch'))
}

async function lockActive(db: Db, tenant: string, params: ItemParams, kind: ScheduleKind = 'SchedulePayment') {
  const { id } = await scheduleOf(db, tenant, params, params.itemId, kind)
  const schedule = (await scheduleStores[kind].lock(db, tenant, id)) ?? notFound('scheduled payment', id)
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

const toScheduledBatch = (row: Stored<ScheduleBody>) => ({
  ...stamps(row),
  monetary_account_id: Number(row.account),
  payments: row.body.payments as never,
  schedule: toSchedule(row),
  status: row.status,
})

const definitions: Readonly<Record<string, ScheduleKind>> = {
  SCHEDULE_DEFINITION_PAYMENT: 'SchedulePayment',
  SCHEDULE_DEFINITION_PAYMENT_BATCH: 'SchedulePaymentBatch',
}

/** The kinds in a list of definitions, separated by commas; all without one. */
const kindsIn = (types = Object.keys(definitions).join()): readonly ScheduleKind[] =>
  types.split(',').map((type) => {
    const kind = definitions[type.trim()]
    return kind ?? invalid([{ at: 'query/type', message: `must be one of ${Object.keys(definitions).join(', ')}` }])
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
    const writing = writingOf(context)
    const { db, tenant } = writing
    const current = await lockActive(db, tenant, params)
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    if (payment) await checkOrder({ db, tenant }, account, payment, 'body/payment')
    const change = { ...(payment && { payment }), ...(schedule && { schedule }) }
    return created(await changeSchedule(writing, 'SchedulePayment', current, change))
  },
  async deleteSchedulePayment({ params }, { db, caller, clock }) {
    const { id } = await lockActive(db, caller.tenant, params)
    await scheduleStore.update(db, caller.tenant, id, { status: 'CANCELLED', at: clock.now() })
    return emptyReply()
  },
  async createScheduleBatch({ params, body }, context) {
    const account = await existingAccount(context.db, context.caller.tenant, params['monetary-accountID'])
    return created(await scheduleBatch(writingOf(context), account, body))
  },
  async getScheduleBatch({ params }, { db, caller }) {
    const row = await scheduleOf(db, caller.tenant, params, params.itemId, 'SchedulePaymentBatch')
    return itemReply('ScheduledPaymentBatch', toScheduledBatch(row))
  },
  async updateScheduleBatch({ params, body: { payments, schedule } }, context) {
    const writing = writingOf(context)
    const { db, tenant } = writing
    const current = await lockActive(db, tenant, params, 'SchedulePaymentBatch')
    const account = await existingAccount(db, tenant, params['monetary-accountID'])
    for (const payment of payments ?? []) await checkOrder({ db, tenant }, account, payment, 'body/payments')
    const change = { ...(payments && { payments }), ...(schedule && { schedule }) }
    return created(await changeSchedule(writing, 'SchedulePaymentBatch', current, change))
  },
  async deleteScheduleBatch({ params }, { db, caller, clock }) {
    const { id } = await lockActive(db, caller.tenant, params, 'SchedulePaymentBatch')
    const change = { status: 'CANCELLED', at: clock.now() }
    await scheduleStores.SchedulePaymentBatch.update(db, caller.tenant, id, change)
    return emptyReply()
  },
  async listUserSchedules({ params, query: { type, ...query } }, { db, caller }) {
    const rows = await listSchedules(db, caller.tenant, { user: params.userID }, kindsIn(type), query)
    return listed('Schedule', query, rows, toSchedule, ({ id }) => Number(id))
  },
  async listSchedules({ params, query }, { db, caller }) {
    const rows = await listSchedules(db, caller.tenant, placeOf(params), kindsIn(undefined), query)
    return listed('Schedule', query, rows, toSchedule, ({ id }) => Number(id))
  },
  async getSchedule({ params }, { db, caller }) {
    return itemReply('Schedule', toSchedule(await anySchedule(db, caller.tenant, params, params.itemId)))
  },
  async listScheduleInstances({ params, query }, { db, caller }) {
    const { id: parent } = await anySchedule(db, caller.tenant, params, params.scheduleID)
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
    const { body } = await anySchedule(db, tenant, params, params.scheduleID)
    const from = await existingAccount(db, tenant, params['monetary-accountID'])
    const paid = await payDue(writing, from, params.scheduleID, body)
    const change = { status: 'FINISHED_SUCCESSFULLY', body: { error: null, ...paid }, at }
    await instanceStore.update(db, tenant, id, change)
    return created(id)
  },
})

async function instanceOf(db: ReadingDb, tenant: string, params: ItemParams & { readonly scheduleID: string }) {
  const { id: parent } = await anySchedule(db, tenant, params, params.scheduleID)
  const instance = await instanceStore.find(db, tenant, { ...placeOf(params), parent }, params.itemId)
  return instance ?? notFound('instance', params.itemId)
}
