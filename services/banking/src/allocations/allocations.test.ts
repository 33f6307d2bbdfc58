import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../ledger/store.ts'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer
let savings: { readonly type: string; readonly value: string; readonly name: string }
let savingsId: string

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
  bram = await bank.customer('500.00')
  const body = { currency: 'EUR', description: 'Savings' }
  savingsId = idOf(await ada.api.createBankAccount({ params: ada.user, body }))
  const { body: read } = await ada.api.getBankAccount({ params: { ...ada.user, itemId: savingsId } })
  savings = { type: 'IBAN', value: read.Response[0]?.MonetaryAccountBank.alias[0]?.value as string, name: 'Savings' }
})
afterEach(async () => {
  const balanced = { sum: 0n, balanceMismatches: [], overdrawn: [], holdMismatches: [] }
  expect(await reconcile(bank.app.platform.database, 'bank')).toEqual(balanced)
})
afterAll(() => bank[Symbol.asyncDispose]())

/** Bram pays Ada, who gets the id of her side of the payment. */
async function receive(value: string): Promise<string> {
  const body = { amount: euros(value), counterparty_alias: ada.pointer, description: 'Salary' }
  await bram.api.createPayment({ params: bram.account, body })
  await bank.app.jobs.drain()
  const { body: listed } = await ada.api.listPayments({ params: ada.account, query: { count: 50 } })
  return String(listed.Response.find(({ Payment }) => Payment.description === 'Salary')?.Payment.id)
}
const saved = async () => {
  const { body } = await ada.api.getBankAccount({ params: { ...ada.user, itemId: savingsId } })
  return body.Response[0]?.MonetaryAccountBank.balance.value
}
type Rule = Parameters<Customer['api']['createAllocation']>[0]['body']
const half = { type: 'FRACTION', fraction: 33, counterparty_alias: { type: 'IBAN', value: '', name: '' } } as const
const rule = (payment: string, type: Rule['type'], definition: object[] = []): Rule => ({
  payment_id: Number(payment),
  type,
  definition: [{ ...half, counterparty_alias: savings }, ...definition] as never,
})

test('a recurring rule allocates its payment, and later ones like it', async () => {
  const first = await receive('10.00')
  const fixed = { type: 'AMOUNT', amount: euros('1.00'), counterparty_alias: savings, description: 'Fixed' }
  const itemId = idOf(await ada.api.createAllocation({ params: ada.account, body: rule(first, 'RECURRING', [fixed]) }))
  await bank.app.jobs.drain()
  expect([await bank.balance(ada), await saved()]).toEqual(['5.70', '4.30'])
  await receive('10.00')
  expect(await saved()).toBe('8.60')
  await receive('10.01')
  expect(await saved(), 'another amount').toBe('8.60')
  const below = { ...ada.account, 'payment-auto-allocateID': itemId }
  const { body } = await ada.api.listAllocationInstances({ params: below })
  expect(body.Response.map((item) => item.PaymentAutoAllocateInstance.status)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
  const { body: definitions } = await ada.api.listDefinitions({ params: below })
  expect(definitions.Response.map((item) => item.PaymentAutoAllocateDefinition.fraction)).toEqual([33, null])
  await ada.api.deleteAllocation({ params: { ...ada.account, itemId } })
  await receive('10.00')
  expect(await saved()).toBe('8.60')
})

test('a rule that allocates once ends; two rules cannot feed each other', async () => {
  const before = Number(await saved())
  const payment = await receive('20.00')
  const body = rule(payment, 'ONCE')
  const itemId = idOf(await ada.api.createAllocation({ params: ada.account, body }))
  await bank.app.jobs.drain()
  expect(Number(await saved()) - before).toBeCloseTo(6.6)
  const { body: read } = await ada.api.getAllocation({ params: { ...ada.account, itemId } })
  expect(read.Response[0]?.PaymentAutoAllocate).toMatchObject({ status: 'FINISHED', trigger_amount: euros('20.00') })
  const below = { userID: ada.user.userID, 'monetary-accountID': savingsId }
  const { body: received } = await ada.api.listPayments({ params: below })
  const back = {
    payment_id: Number(received.Response[0]?.Payment.id),
    type: 'RECURRING' as const,
    definition: [{ type: 'FRACTION' as const, fraction: 100, counterparty_alias: ada.pointer }],
  }
  await ada.api.createAllocation({ params: below, body: back })
  await bank.app.jobs.drain()
  expect(Number(await saved()) - before).toBeCloseTo(0)
})

test('a payment that cannot be allocated is recorded', async () => {
  const payment = await receive('30.00')
  const { body } = await ada.api.getBankAccount({ params: { ...ada.user, itemId: ada.account['monetary-accountID'] } })
  const all = body.Response[0]?.MonetaryAccountBank.balance.value as string
  const spend = { amount: euros(all), counterparty_alias: bram.pointer, description: 'All of it' }
  await ada.api.createPayment({ params: ada.account, body: spend })
  const itemId = idOf(await ada.api.createAllocation({ params: ada.account, body: rule(payment, 'RECURRING') }))
  await bank.app.jobs.drain()
  const below = { ...ada.account, 'payment-auto-allocateID': itemId }
  const { body: runs } = await ada.api.listAllocationInstances({ params: below })
  expect(runs.Response[0]?.PaymentAutoAllocateInstance).toMatchObject({
    status: 'FAILED',
    payment_batch_id: null,
    error_message: [{ error_description: 'Insufficient balance.' }],
  })
  const other = { ...bram.account, 'payment-auto-allocateID': itemId }
  await expect(bram.api.listAllocationInstances({ params: other })).rejects.toMatchObject({ status: 404 })
})

test('rules that allocate nothing, or more than was received, are rejected', async () => {
  const payment = await receive('1.00')
  const make = (body: Rule) => ada.api.createAllocation({ params: ada.account, body })
  const more = { type: 'AMOUNT', amount: euros('0.68'), counterparty_alias: savings }
  await expect(make(rule(payment, 'ONCE', [more]))).rejects.toMatchObject({ status: 400 })
  const nothing = { ...half, amount: euros('0.01'), counterparty_alias: savings }
  await expect(make(rule(payment, 'ONCE', [nothing])), 'a fraction and an amount').rejects.toMatchObject({
    status: 400,
  })
  const itself = { ...half, counterparty_alias: ada.pointer }
  await expect(make(rule(payment, 'ONCE', [itself]))).rejects.toMatchObject({ status: 400 })
  await expect(make(rule('999999', 'ONCE'))).rejects.toMatchObject({ status: 400 })
})
