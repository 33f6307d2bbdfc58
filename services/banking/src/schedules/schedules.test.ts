import { DatabaseUnavailable, Failure, type JobContext } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank, tenant } from '../testing/bank.ts'
import { paySchedule } from './jobs.ts'
import { timeOf } from './times.ts'

let bank: Bank
let ada: Customer
let bram: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('25.00')
  bram = await bank.customer()
})
afterAll(() => bank[Symbol.asyncDispose]())

const dayMs = 86_400_000
const inDays = (days: number) =>
  new Date(bank.app.platform.clock.now().getTime() + days * dayMs).toISOString().replace('T', ' ').slice(0, 19)
const pass = async (days: number) => {
  await bank.app.clock.advance(days * dayMs)
  await bank.app.jobs.drain()
}

test('createSchedulePayment: pays when due until time_end, and records failed payments', async () => {
  const payment = { amount: euros('10.00'), counterparty_alias: bram.pointer, description: 'Rent' }
  const schedule = { time_start: inDays(1), time_end: inDays(3.5), recurrence_unit: 'DAILY' } as const
  const scheduleID = idOf(await ada.api.createSchedulePayment({ params: ada.account, body: { payment, schedule } }))
  await pass(0.5)
  expect(await bank.balance(bram)).toBe('0.00')
  await pass(1)
  expect(await bank.balance(bram)).toBe('10.00')
  await pass(1)
  await pass(1)
  await pass(5)
  expect([await bank.balance(bram), await bank.balance(ada)]).toEqual(['20.00', '5.00'])
  const { body } = await ada.api.listScheduleInstances({ params: { ...ada.account, scheduleID } })
  const states = body.Response.map(({ ScheduleInstance }) => ScheduleInstance.state)
  expect(states).toEqual(['FAILED_USER_ERROR', 'FINISHED_SUCCESSFULLY', 'FINISHED_SUCCESSFULLY'])
  const cancel = ada.api.deleteSchedulePayment({ params: { ...ada.account, itemId: scheduleID } })
  await expect(cancel, 'a finished schedule stays finished').rejects.toMatchObject({ status: 400 })
  const { body: finished } = await ada.api.getSchedulePayment({ params: { ...ada.account, itemId: scheduleID } })
  expect(finished.Response[0]?.ScheduledPayment).toMatchObject({
    status: 'FINISHED',
    schedule: { time_start: `${schedule.time_start}.000000`, time_end: `${schedule.time_end}.000000` },
  })

  const failed = String(body.Response[0]?.ScheduleInstance.id)
  const retry = () =>
    ada.api.updateScheduleInstance({ params: { ...ada.account, scheduleID, itemId: failed }, body: { state: 'RETRY' } })
  await expect(retry(), 'balance still too low').rejects.toMatchObject({ status: 400 })
  const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
  const request = { amount_inquired: euros('20.00'), counterparty_alias: sugar, description: 'Please' }
  await ada.api.createRequestInquiry({ params: ada.account, body: request })
  await retry()
  expect(await bank.balance(bram)).toBe('30.00')
})

test('a changed payment follows its new schedule, and a deleted one is not paid', async () => {
  const payment = { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Once' }
  const once = (days: number) => ({ time_start: inDays(days), recurrence_unit: 'ONCE' }) as const
  const make = async () =>
    idOf(await ada.api.createSchedulePayment({ params: ada.account, body: { payment, schedule: once(1) } }))
  const [moved, deleted] = [await make(), await make()]
  await ada.api.updateSchedulePayment({ params: { ...ada.account, itemId: moved }, body: { schedule: once(3) } })
  await ada.api.deleteSchedulePayment({ params: { ...ada.account, itemId: deleted } })
  const before = Number(await bank.balance(bram))
  await pass(2)
  expect(Number(await bank.balance(bram))).toBe(before)
  await pass(2)
  expect(Number(await bank.balance(bram))).toBe(before + 1)
  const late = { payment, schedule: { time_start: '2020-01-01 00:00:00', recurrence_unit: 'ONCE' } } as const
  await expect(ada.api.createSchedulePayment({ params: ada.account, body: late })).rejects.toMatchObject({
    status: 400,
  })
})

test('a scheduled batch pays all of its payments or none, and is listed among the schedules of its user', async () => {
  const order = (value: string) => ({ amount: euros(value), counterparty_alias: bram.pointer, description: 'Batch' })
  const schedule = { time_start: inDays(1), time_end: inDays(2.5), recurrence_unit: 'DAILY' } as const
  const body = { payments: [order('1.00'), order('2.00')], schedule }
  const itemId = idOf(await ada.api.createScheduleBatch({ params: ada.account, body }))
  const before = [Number(await bank.balance(ada)), Number(await bank.balance(bram))] as const
  await pass(1)
  expect(Number(await bank.balance(bram)) - before[1]).toBeCloseTo(3)
  const tooMuch = [order('1.00'), order('100000.00')]
  await ada.api.updateScheduleBatch({ params: { ...ada.account, itemId }, body: { payments: tooMuch } })
  await pass(1)
  expect(Number(await bank.balance(bram)) - before[1], 'all or none').toBeCloseTo(3)
  const { body: runs } = await ada.api.listScheduleInstances({ params: { ...ada.account, scheduleID: itemId } })
  expect(runs.Response.map(({ ScheduleInstance }) => ScheduleInstance)).toMatchObject([
    { state: 'FAILED_USER_ERROR', payment_batch_id: null },
    { state: 'FINISHED_SUCCESSFULLY', payment_batch_id: expect.any(Number) },
  ])
  const batch = String(runs.Response[1]?.ScheduleInstance.payment_batch_id)
  const { body: paid } = await ada.api.getPaymentBatch({ params: { ...ada.account, itemId: batch } })
  expect(paid.Response[0]?.PaymentBatch.payments.Payment).toHaveLength(2)
  const list = async (type?: string) => {
    const { body: all } = await ada.api.listUserSchedules({
      params: ada.user,
      query: { count: 200, ...(type && { type }) },
    })
    return all.Response.map(({ Schedule }) => String(Schedule.id))
  }
  expect(await list()).toContain(itemId)
  expect(await list('SCHEDULE_DEFINITION_PAYMENT_BATCH')).toEqual([itemId])
  expect(await list('SCHEDULE_DEFINITION_PAYMENT')).not.toContain(itemId)
  await expect(list('OTHER')).rejects.toMatchObject({ status: 400 })
  const { body: ofOther } = await bram.api.listUserSchedules({ params: bram.user })
  expect(ofOther.Response).toEqual([])
  await expect(bram.api.getScheduleBatch({ params: { ...bram.account, itemId } })).rejects.toMatchObject({
    status: 404,
  })
  const later = { ...body, schedule: { time_start: inDays(1), recurrence_unit: 'ONCE' } } as const
  const deleted = idOf(await ada.api.createScheduleBatch({ params: ada.account, body: later }))
  await ada.api.deleteScheduleBatch({ params: { ...ada.account, itemId: deleted } })
  await pass(2)
  expect(Number(await bank.balance(bram)) - before[1]).toBeCloseTo(3)
})

test('an outage is not recorded as a rejected payment: the job is retried', async () => {
  const due = { id: '1', version: 0, nth: 0 }
  const runWith = (error: Error) =>
    paySchedule.run(due, {
      tenant,
      clock: bank.app.platform.clock,
      transaction: () => Promise.reject(error),
    } as unknown as JobContext)
  for (const error of [
    new DatabaseUnavailable('No connection became free.'),
    new Failure('unavailable', 'Overloaded.'),
  ])
    await expect(runWith(error)).rejects.toBe(error)
  await expect(runWith(new Failure('invalid', 'Too little money.'))).resolves.toBeInstanceOf(Function)
})

test('a monthly payment falls on the last day of shorter months', () => {
  const monthly = { time_start: '2026-01-31 12:00:00', recurrence_unit: 'MONTHLY' }
  const days = [0, 1, 2, 3].map((nth) => timeOf(monthly, nth)?.toISOString().slice(0, 10))
  expect(days).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'])
})
