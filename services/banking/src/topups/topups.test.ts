import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../ledger/store.ts'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
})
afterEach(async () => {
  const balanced = { sum: 0n, balanceMismatches: [], overdrawn: [], holdMismatches: [] }
  expect(await reconcile(bank.app.platform.database, 'bank')).toEqual(balanced)
})
afterAll(() => bank[Symbol.asyncDispose]())

const topUp = async (issuer: string, value = '10.00', customer = ada) =>
  idOf(await customer.api.createTopUp({ params: customer.account, body: { amount_requested: euros(value), issuer } }))
const read = async (itemId: string, customer = ada) =>
  (await customer.api.getTopUp({ params: { ...customer.account, itemId } })).body.Response[0]?.IdealMerchantTransaction
const pass = async (minutes: number) => {
  await bank.app.clock.advance(minutes * 60_000)
  await bank.app.jobs.drain()
}

test('other banks pay at once, late, never, or refuse', async () => {
  const ids = await Promise.all(['PAYSNL2A', 'SLOWNL2A', 'DENYNL2A', 'NONENL2A'].map((issuer) => topUp(issuer)))
  const statuses = async () => Promise.all(ids.map(async (id) => (await read(id))?.status))
  expect(await statuses()).toEqual(['OPEN', 'OPEN', 'OPEN', 'OPEN'])
  expect(await bank.balance(ada)).toBe('0.00')
  await pass(2)
  expect(await statuses()).toEqual(['SUCCESS', 'OPEN', 'FAILURE', 'OPEN'])
  expect(await bank.balance(ada)).toBe('10.00')
  await pass(1_440)
  expect(await statuses()).toEqual(['SUCCESS', 'SUCCESS', 'FAILURE', 'EXPIRED'])
  expect(await bank.balance(ada)).toBe('20.00')
  expect(await read(ids[0] as string)).toMatchObject({
    amount_guaranteed: euros('10.00'),
    issuer_name: 'Prompt Bank',
    counterparty_alias: { swift_bic: 'PAYSNL2A' },
  })
  const { body } = await ada.api.listPayments({ params: ada.account })
  expect(body.Response.map(({ Payment }) => Payment.type)).toEqual(['IDEAL', 'IDEAL'])
  const { body: events } = await ada.api.listEvents({ params: ada.user, query: { count: 50 } })
  expect(events.Response.filter(({ Event }) => 'IdealMerchantTransaction' in Event.object)).toHaveLength(8)
})

test('an account that was closed meanwhile gets nothing', async () => {
  const bram = await bank.customer()
  const id = await topUp('PAYSNL2A', '1.00', bram)
  const params = { ...bram.user, itemId: bram.account['monetary-accountID'] }
  await bram.api.updateBankAccount({ params, body: { status: 'CANCELLED', sub_status: 'REDEMPTION_VOLUNTARY' } })
  await pass(2)
  expect((await read(id, bram))?.status).toBe('FAILURE')
  expect(await bank.balance(bram)).toBe('0.00')
  await expect(topUp('PAYSNL2A', '1.00', bram)).rejects.toMatchObject({ status: 400 })
  await expect(read(id), "another user's").rejects.toMatchObject({ status: 404 })
})

test('unknown banks and excessive amounts are rejected', async () => {
  await expect(topUp('ABNANL2A')).rejects.toMatchObject({ status: 400 })
  await expect(topUp('PAYSNL2A', '50000.01')).rejects.toMatchObject({ status: 400 })
  await expect(topUp('PAYSNL2A', '0.00')).rejects.toMatchObject({ status: 400 })
})
