import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../ledger/store.ts'
import { type Bank, type Customer, euros, idOf, openBank, tenant } from '../testing/bank.ts'
import { monthBefore } from './fees.ts'

let bank: Bank
let ada: Customer
let bram: Customer

const invoicesOf = async ({ api, account }: Customer, query = {}) => {
  const { body } = await api.listInvoices({ params: account, query })
  return body.Response.map(({ Invoice }) => Invoice)
}
const goTo = async (day: string) => {
  await bank.app.clock.move({ to: new Date(`${day}T06:00:00Z`) })
  await bank.app.jobs.drain()
}

beforeAll(async () => {
  const fees = [
    { of: 'account', cents: 299n },
    { of: 'card', cents: 150n },
  ] as const
  bank = await openBank({ fees })
  await goTo('2026-03-10')
  ada = await bank.customer('100.00')
  bram = await bank.customer()
  const { user: params, api } = ada
  const address_main = { street: 'Main Street', house_number: '1', postal_code: '1000 AA', city: 'Amsterdam' }
  await api.updateUserPerson({ params: { itemId: params.userID }, body: { address_main } })
  const id = idOf(await api.createCardDebit({ params, body: { name_on_card: 'A. Person' } }))
  const activation_code = id.padStart(6, '0')
  await api.updateCard({ params: { ...params, itemId: id }, body: { status: 'ACTIVE', activation_code } })
  await api.createCardDebit({ params, body: { name_on_card: 'Not yet active' } })
})
afterAll(() => bank[Symbol.asyncDispose]())

test('monthBefore returns the last month that has ended', () => {
  expect(monthBefore(new Date('2026-03-31T23:59:59Z'))).toMatchObject({ name: '2026-02' })
  expect(monthBefore(new Date('2026-01-01T00:00:00Z'))).toEqual({ name: '2025-12', end: new Date('2026-01-01') })
})

test('an account is billed once, after the end of the month', async () => {
  await goTo('2026-03-31')
  expect(await invoicesOf(ada)).toEqual([])
  await goTo('2026-04-01')
  await goTo('2026-04-02')
  const [invoice, ...others] = await invoicesOf(ada)
  expect(others).toEqual([])
  expect(invoice).toMatchObject({
    status: 'PAID',
    invoice_date: '2026-04-01',
    invoice_number: expect.stringMatching(/^202603-\d+$/),
    total_vat_inclusive: euros('4.49'),
    total_vat: euros('0.00'),
    address: { city: 'Amsterdam' },
    group: [
      { type: 'ACCOUNT', product_vat_inclusive: euros('2.99'), item: [{ quantity: 1 }] },
      {
        type: 'CARD',
        product_vat_inclusive: euros('1.50'),
        item: [{ quantity: 1, unit_vat_exclusive: euros('1.50') }],
      },
    ],
  })
  expect(await bank.balance(ada)).toBe('95.51')
  const { body } = await ada.api.listPayments({ params: ada.account, query: { count: 1 } })
  expect(body.Response[0]?.Payment).toMatchObject({
    type: 'BILLING',
    amount: euros('-4.49'),
    description: `Invoice ${invoice?.invoice_number}`,
    counterparty_alias: { display_name: 'The bank' },
  })
  const { body: events } = await ada.api.listEvents({ params: ada.user, query: { count: 1 } })
  expect(events.Response[0]?.Event).toMatchObject({ action: 'CREATE', object: { Invoice: { id: invoice?.id } } })
})

test('an invoice stays open while the balance is too low, and is paid later', async () => {
  expect(await invoicesOf(bram)).toMatchObject([{ status: 'OPEN', total_vat_inclusive: euros('2.99') }])
  const order = { amount: euros('5.00'), counterparty_alias: bram.pointer, description: 'For your invoice' }
  await ada.api.createPayment({ params: ada.account, body: order })
  await goTo('2026-04-04')
  expect(await invoicesOf(bram)).toMatchObject([{ status: 'PAID', invoice_date: '2026-04-01' }])
  expect(await bank.balance(bram)).toBe('2.01')
})

test('a user lists all invoices page by page and downloads them as PDF; other users cannot', async () => {
  await goTo('2026-05-01')
  await goTo('2026-06-01')
  const months = (await invoicesOf(ada)).map(({ invoice_number }) => invoice_number.slice(0, 6))
  expect(months).toEqual(['202605', '202604', '202603'])
  const { body } = await ada.api.listUserInvoices({ params: ada.user, query: { count: 2 } })
  expect(body.Response).toHaveLength(2)
  expect(body.Pagination.older_url).toContain('older_id=')
  const itemId = String(body.Response[0]?.Invoice.id)
  const { body: byUser } = await ada.api.getUserInvoice({ params: { ...ada.user, itemId } })
  const { body: byAccount } = await ada.api.getInvoice({ params: { ...ada.account, itemId } })
  expect(byUser).toEqual(byAccount)
  const { body: pdf } = await ada.api.getInvoicePdf({ params: { ...ada.user, invoiceID: itemId } })
  expect(Buffer.from(pdf as unknown as Uint8Array).toString('latin1')).toMatch(/^%PDF.*Main Street 1.*4\.49/s)
  const notFound = { status: 404 }
  await expect(ada.api.getUserInvoice({ params: { ...bram.user, itemId } })).rejects.toMatchObject(notFound)
  await expect(ada.api.getInvoice({ params: { ...bram.account, itemId } })).rejects.toMatchObject(notFound)
  await expect(ada.api.getInvoicePdf({ params: { ...bram.user, invoiceID: itemId } })).rejects.toMatchObject(notFound)
})

test("the books balance, and the fees are in the bank's account", async () => {
  const { database } = bank.app.platform
  expect(await reconcile(database.reading, tenant)).toEqual({
    sum: 0n,
    balanceMismatches: [],
    overdrawn: [],
    holdMismatches: [],
  })
  const { fees } = await database.reading.one<{ fees: string }>(sql`
    select sum(b.amount)::text as fees from banking.house_accounts h
    join banking.ledger_balances b on b.tenant = h.tenant and b.account_id = h.account_id
    where h.tenant = ${tenant} and h.purpose = 'fees'`)
  const paid = [...(await invoicesOf(ada)), ...(await invoicesOf(bram))].filter(({ status }) => status === 'PAID')
  expect(fees).toBe(String(paid.reduce((sum, { total_vat_inclusive: { value } }) => sum + Number(value) * 100, 0)))
})

test('many accounts are billed in batches, each once; other currencies are free', async () => {
  const many = sized(45, 10_000)
  const params = ada.user
  const open = (currency: string) =>
    ada.api.createBankAccount({ params, body: { currency, description: 'One of many' } })
  for (let nth = 0; nth < many; nth++) await open('EUR')
  await open('USD')
  const start = performance.now()
  await goTo('2026-07-01')
  console.log(`${many} invoices, ${Math.round(many / ((performance.now() - start) / 1_000))} a second`)
  const counts = await bank.app.platform.database.reading.one(sql`
    select count(*)::int as invoices, count(distinct account_id)::int as accounts from banking.records
    where tenant = ${tenant} and kind = 'Invoice' and user_id = ${params.userID} and body ->> 'month' = '2026-06'`)
  expect(counts).toEqual({ invoices: many + 1, accounts: many + 1 })
})

test('without fees there are no invoices', async () => {
  await using free = await openBank()
  const customer = await free.customer('10.00')
  await free.app.clock.advance(40 * 86_400_000)
  await free.app.jobs.drain()
  expect(await invoicesOf(customer)).toEqual([])
  expect(await free.balance(customer)).toBe('10.00')
})
