import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../ledger/store.ts'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'
import { openCashier } from './cashier.ts'
import type { Order } from './pay.ts'

let bank: Bank
let ada: Customer
let bram: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('10.00')
  bram = await bank.customer()
})
afterAll(async () => {
  const balanced = { sum: 0n, balanceMismatches: [], overdrawn: [], holdMismatches: [] }
  expect(await reconcile(bank.app.platform.database, 'bank')).toEqual(balanced)
  await bank[Symbol.asyncDispose]()
})

const pay = (value: string, to = bram, requestId?: string) =>
  ada.api.createPayment({
    params: ada.account,
    ...(requestId && { headers: { 'x-vendor-client-request-id': requestId } }),
    body: { amount: euros(value), counterparty_alias: to.pointer, description: 'Tea' },
  })

test('concurrent payments each have their own outcome, payment and event', async () => {
  const elsewhere = { ...bram, pointer: { type: 'IBAN', value: 'GB82WEST12345698765432', name: 'A shop' } }
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 8 }, () => pay('1.00')),
    pay('1.00', elsewhere),
    pay('100.00'),
    pay('1.00', ada),
    pay('0.50', bram, 'same'),
    pay('0.50', bram, 'same'),
    pay('0.40', bram, 'same'),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 9 }, () => 'fulfilled'),
    ...['rejected', 'rejected'],
    ...outcomes.slice(11).map(({ status }) => status),
  ])
  // Whichever came first of those with one request id, the others follow it.
  const same = outcomes.slice(11).flatMap((outcome) => (outcome.status === 'fulfilled' ? idOf(outcome.value) : []))
  expect(new Set(same).size).toBe(1)
  const ids = outcomes.slice(0, 9).flatMap((outcome) => (outcome.status === 'fulfilled' ? idOf(outcome.value) : []))
  expect(new Set(ids).size).toBe(9)
  const { body } = await ada.api.listPayments({ params: ada.account, query: { count: 50 } })
  expect(body.Response.map(({ Payment }) => String(Payment.id))).toEqual(expect.arrayContaining(ids))
  const { body: events } = await bram.api.listEvents({ params: bram.user, query: { count: 50 } })
  expect(events.Response.filter(({ Event }) => 'Payment' in Event.object)).toHaveLength(9)
})

test('an order that makes the statement fail does not take others with it', async () => {
  const { platform } = bank.app
  const calls: number[] = []
  const cashier = openCashier({
    clock: platform.clock,
    async transaction(service, tenant, work) {
      return platform.transaction(service, tenant, async (...handles) => {
        const outcome = await work(...handles)
        calls.push((outcome as readonly unknown[]).length)
        return outcome
      })
    },
  })
  const { findAccount } = await import('../accounts/store.ts')
  const find = async ({ account }: Customer) => {
    const found = await findAccount(platform.database, 'bank', account['monetary-accountID'])
    return found ?? expect.unreachable()
  }
  const [from, to] = [await find(ada), await find(bram)]
  const order: Order = { from, to: { account: to }, amount: 1n, description: 'Tea' }
  const broken: Order = { ...order, description: 'Tea', details: {}, to: { account: { ...to, id: '999999' } } }
  const results = await Promise.allSettled([{ ...order }, broken, { ...order }].map((one) => cashier('bank', one)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(calls, 'together, and then one by one').toEqual([1, 1])
})

test('after an outage nothing is made twice: all fail, and request ids make the retry safe', async () => {
  const { platform } = bank.app
  const account = await import('../accounts/store.ts').then(({ findAccount }) =>
    findAccount(platform.database, 'bank', ada.account['monetary-accountID']),
  )
  let attempts = 0
  const cashier = openCashier({
    clock: platform.clock,
    transaction() {
      attempts++
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    },
  })
  const order = { from: account, to: { account }, amount: 1n, description: 'Tea' } as Order
  const results = await Promise.allSettled(
    [{ ...order }, { ...order }, { ...order }].map((one) => cashier('bank', one)),
  )
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(attempts).toBe(1)
})
