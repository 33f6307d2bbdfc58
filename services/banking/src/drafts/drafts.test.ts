import { afterAll, beforeAll, expect, test } from 'vitest'
import { momentOf } from '../shapes/moments.ts'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('10.00')
  bram = await bank.customer()
})
afterAll(() => bank[Symbol.asyncDispose]())

test('a draft moves no money until it is accepted, and then only once', async () => {
  const entry = (value: string) => ({ amount: euros(value), counterparty_alias: bram.pointer, description: 'Later' })
  const body = { entries: [entry('1.00'), entry('2.00')], number_of_required_accepts: 1 }
  const two = { ...body, number_of_required_accepts: 2 }
  await expect(ada.api.createDraftPayment({ params: ada.account, body: two })).rejects.toMatchObject({ status: 400 })
  const itemId = idOf(await ada.api.createDraftPayment({ params: ada.account, body }))
  expect(await bank.balance(bram)).toBe('0.00')
  const accept = () => ada.api.updateDraftPayment({ params: { ...ada.account, itemId }, body: { status: 'ACCEPTED' } })
  await accept()
  expect(await bank.balance(bram)).toBe('3.00')
  await expect(accept()).rejects.toMatchObject({ status: 400 })
  const { body: accepted } = await ada.api.getDraftPayment({ params: { ...ada.account, itemId } })
  expect(accepted.Response[0]?.DraftPayment).toMatchObject({
    status: 'ACCEPTED',
    type: 'BATCH',
    payments: [{}, {}].map(() => expect.any(Number)),
  })
})

test('a draft with a schedule becomes a scheduled payment on acceptance', async () => {
  const before = Number(await bank.balance(bram))
  const start = new Date(bank.app.platform.clock.now().getTime() + 86_400_000)
  const schedule = { time_start: momentOf(start), time_end: null, recurrence_unit: 'ONCE' } as const
  const entry = { amount: euros('4.00'), counterparty_alias: bram.pointer, description: 'Tomorrow' }
  const body = { entries: [entry], number_of_required_accepts: 1, schedule }
  const itemId = idOf(await ada.api.createDraftPayment({ params: ada.account, body }))
  const params = { ...ada.account, itemId }
  const draft = async () => (await ada.api.getDraftPayment({ params })).body.Response[0]?.DraftPayment
  expect((await draft())?.schedule).toEqual({ ...schedule, recurrence_size: 1 })
  await ada.api.updateDraftPayment({ params, body: { status: 'ACCEPTED' } })
  expect(Number(await bank.balance(bram))).toBe(before)
  const { payments, scheduled_payments: scheduled } = (await draft()) ?? {}
  expect([payments, scheduled]).toEqual([[], [expect.any(Number)]])
  const scheduledParams = { ...ada.account, itemId: String(scheduled?.[0]) }
  const { body: payment } = await ada.api.getSchedulePayment({ params: scheduledParams })
  expect(payment.Response[0]?.ScheduledPayment).toMatchObject({ payment: entry, status: 'ACTIVE', schedule })
  await bank.app.clock.advance(86_400_000)
  await bank.app.jobs.drain()
  expect(Number(await bank.balance(bram))).toBe(before + 4)
})

test('previous_updated_timestamp prevents accepting a draft that has changed since it was read', async () => {
  const entry = { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' }
  const body = { entries: [entry], number_of_required_accepts: 1 }
  const params = { ...ada.account, itemId: idOf(await ada.api.createDraftPayment({ params: ada.account, body })) }
  const updated = async () =>
    (await ada.api.getDraftPayment({ params })).body.Response[0]?.DraftPayment.updated as string
  const previous = await updated()
  await bank.app.clock.advance(1_000)
  await ada.api.updateDraftPayment({ params, body: { entries: [{ ...entry, description: 'Cake' }] } })
  const accept = (previous_updated_timestamp: string) =>
    ada.api.updateDraftPayment({ params, body: { status: 'ACCEPTED', previous_updated_timestamp } })
  await expect(accept(previous)).rejects.toMatchObject({ status: 400 })
  await accept(await updated())
  await expect(
    ada.api.createDraftPayment({
      params: ada.account,
      body: { ...body, schedule: { time_start: '2001-01-01 00:00:00.000000', recurrence_unit: 'ONCE' } },
    }),
    'a time in the past',
  ).rejects.toMatchObject({ status: 400 })
})
