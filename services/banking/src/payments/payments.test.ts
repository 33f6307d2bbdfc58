import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../ledger/store.ts'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('500.00')
  bram = await bank.customer()
})
afterAll(() => bank[Symbol.asyncDispose]())

const pay = (amount: unknown, to = bram.pointer, headers = {}) =>
  ada.api.createPayment({
    params: ada.account,
    headers,
    body: { amount: amount as { value: string; currency: string }, counterparty_alias: to, description: 'Tea' },
  })

test('createPayment: payer and payee each see a payment with their own balance after it', async () => {
  const itemId = idOf(await pay(euros('12.5')))
  const { body: sent } = await ada.api.getPayment({ params: { ...ada.account, itemId } })
  expect(sent.Response[0]?.Payment).toMatchObject({
    amount: { value: '-12.50', currency: 'EUR' },
    counterparty_alias: { iban: bram.pointer.value },
    balance_after_mutation: euros('487.50'),
  })
  const { body: received } = await bram.api.listPayments({ params: bram.account })
  expect(received.Response[0]?.Payment).toMatchObject({ amount: euros('12.50'), alias: { iban: bram.pointer.value } })
})

test('the geolocation of a payment or request is visible only to its sender', async () => {
  const headers = { 'x-vendor-geolocation': '4.89 53.2 12 100 NL' }
  const geolocation = { longitude: '4.89', latitude: '53.2', altitude: '12', radius: 100 }
  const at = async (sent: Record<string, string>) => {
    const params = { ...ada.account, itemId: idOf(await pay(euros('0.01'), bram.pointer, sent)) }
    return (await ada.api.getPayment({ params })).body.Response[0]?.Payment.geolocation
  }
  expect(await at(headers)).toEqual(geolocation)
  expect(await at({ 'x-bunq-geolocation': '0 0 0 0 000' }), 'unknown').toBeNull()
  await expect(at({ 'x-vendor-geolocation': 'here' })).rejects.toMatchObject({ status: 400 })
  const { body: received } = await bram.api.listPayments({ params: bram.account })
  expect(received.Response[0]?.Payment.geolocation).toBeNull()
  const body = { amount_inquired: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' }
  const itemId = idOf(await ada.api.createRequestInquiry({ params: ada.account, headers, body }))
  const { body: inquiry } = await ada.api.getRequestInquiry({ params: { ...ada.account, itemId } })
  expect(inquiry.Response[0]?.RequestInquiry).toMatchObject({ geolocation, address_billing: null })
})

test.each([
  ['below zero', euros('-1.00')],
  ['zero', euros('0.00')],
  ['of half a cent', euros('0.005')],
  ['huge', euros('999999999999.00')],
  ['not a number', euros('1e3')],
  ['in another currency', { value: '1.00', currency: 'USD' }],
  ['without a currency', { value: '1.00', currency: 'XXX' }], // the code for no currency
  ['a number', { value: 1, currency: 'EUR' }],
])('an amount that is %s is rejected', async (_, amount) => {
  await expect(pay(amount)).rejects.toMatchObject({ status: 400 })
})

test('the payee must be a valid IBAN or an address of a user, and not the payer', async () => {
  const to = (type: string, value: string) => pay(euros('1.00'), { type, value, name: 'Somebody' })
  await expect(to('IBAN', 'NL00ICSA0000000001')).rejects.toMatchObject({ status: 400 })
  await expect(to('IBAN', ada.pointer.value)).rejects.toMatchObject({ status: 400 })
  await expect(to('EMAIL', 'nobody@example.com')).rejects.toMatchObject({ status: 400 })
  await expect(to('FAX', '1')).rejects.toMatchObject({ status: 400 })
  await to('IBAN', 'GB82 WEST 1234 5698 7654 32')
  const { body } = await ada.api.getUserPerson({ params: { itemId: bram.user.userID } })
  for (const { type, value } of body.Response[0]?.UserPerson.alias ?? []) await to(type, value)
})

test('a request id makes one payment, even concurrently; other parameters are rejected', async () => {
  const before = Number(await bank.balance(bram))
  const headers = { 'x-vendor-client-request-id': 'r1' }
  // A busy machine may respond 503, or not at all: then the request is retried, which is safe with an id.
  const send = async (): Promise<string> => {
    try {
      return idOf(await pay(euros('1.00'), bram.pointer, headers))
    } catch (error) {
      if (((error as { status?: number }).status ?? 503) !== 503) throw error
      return send()
    }
  }
  const ids = await Promise.all(Array.from({ length: sized(200, 1_000) }, send))
  expect(new Set(ids).size).toBe(1)
  expect(Number(await bank.balance(bram)) - before).toBeCloseTo(1)
  await expect(pay(euros('2.00'), bram.pointer, headers)).rejects.toMatchObject({ status: 400 })
})

test('createPaymentBatch: all of its payments are made, or none', async () => {
  const order = (value: string) => ({ amount: euros(value), counterparty_alias: bram.pointer, description: 'Many' })
  const before = await bank.balance(ada)
  const batch = (...values: string[]) =>
    ada.api.createPaymentBatch({ params: ada.account, body: { payments: values.map(order) } })
  await expect(batch('1.00', '100000.00')).rejects.toMatchObject({ status: 400 })
  expect(await bank.balance(ada)).toBe(before)
  const itemId = idOf(await batch('1.00', '2.00'))
  const { body } = await ada.api.getPaymentBatch({ params: { ...ada.account, itemId } })
  const paid = body.Response[0]?.PaymentBatch.payments.Payment ?? []
  expect(paid.map(({ amount, batch_id }) => [amount.value, batch_id])).toEqual([
    ['-1.00', Number(itemId)],
    ['-2.00', Number(itemId)],
  ])
})

test('pages go from newest to oldest, and back', async () => {
  const page = async (query: object) => {
    const { body } = await ada.api.listPayments({ params: ada.account, query: { count: 2, ...query } })
    return { ids: body.Response.map(({ Payment }) => Payment.id), links: body.Pagination }
  }
  const first = await page({})
  expect(first.links.newer_url).toBeNull()
  expect(first.links.older_url).toBe(
    `/v1/user/${ada.user.userID}/monetary-account/${ada.account['monetary-accountID']}/payment?older_id=${first.ids[1]}&count=2`,
  )
  const second = await page({ older_id: first.ids[1] })
  expect(Math.max(...second.ids)).toBeLessThan(Math.min(...first.ids))
  expect((await page({ newer_id: second.ids[0] })).ids).toEqual(first.ids)
})

test('the books balance after all of this', async () => {
  const { sum, balanceMismatches, overdrawn, holdMismatches } = await reconcile(bank.app.platform.database, 'bank')
  expect({ sum, balanceMismatches, overdrawn, holdMismatches }).toEqual({
    sum: 0n,
    balanceMismatches: [],
    overdrawn: [],
    holdMismatches: [],
  })
})
