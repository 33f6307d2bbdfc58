import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../ledger/store.ts'
import { balanceAt } from '../payments/store.ts'
import { type Bank, type Customer, euros, idOf, openBank, signIn, signing } from '../testing/bank.ts'

let bank: Bank
let ada: Customer

beforeAll(async () => {
  bank = await openBank()
  await bank.app.clock.move({ to: new Date('2026-03-01T10:00:00Z') })
  ada = await bank.customer('100.00')
  const bram = await bank.customer()
  await bank.app.clock.move({ to: new Date('2026-03-05T10:00:00Z') })
  const order = { amount: euros('12.50'), counterparty_alias: bram.pointer, description: '=SUM(A1), "quoted" é' }
  await ada.api.createPayment({ params: ada.account, body: order })
})
afterAll(() => bank[Symbol.asyncDispose]())

async function content(
  { api, account }: Customer,
  statement_format: 'CSV' | 'MT940' | 'PDF',
  date_start = '2026-03-02',
  date_end = '2026-03-05',
) {
  const body = { statement_format, date_start, date_end, regional_format: 'UK_US' } as const
  const id = idOf(await api.createStatement({ params: account, body }))
  const { body: statement } = await api.getStatementContent({ params: { ...account, 'customer-statementID': id } })
  return typeof statement === 'string' ? (statement as string) : Buffer.from(statement as Uint8Array).toString('latin1')
}

/** Receives a cent many times, inserted as rows: real payments would take minutes. */
async function customerWithMany(count = payments): Promise<Customer> {
  const customer = await bank.customer('0.01')
  const { database } = bank.app.platform
  const account = customer.account['monetary-accountID']
  await database.run(sql`
    with mint as (select account_id from banking.house_accounts where purpose = 'sandbox money'),
    added as (
      insert into banking.ledger_transactions (tenant, created_at)
      select 'bank', '2026-02-10T00:00:00Z' from generate_series(1, ${count}::int) returning id),
    postings as (
      insert into banking.ledger_postings (tenant, account_id, transaction_id, currency, amount, balance_after)
      select 'bank', side.account, added.id, 'EUR', side.amount, 0
      from added cross join (select ${account}::bigint, 1 union all select account_id, -1 from mint) side (account, amount)),
    balances as (
      update banking.ledger_balances set amount = amount + case when account_id = ${account} then 1 else -1 end * ${count}::bigint
      where slot = 0 and (account_id = ${account} or account_id in (select account_id from mint)))
    insert into banking.payments (tenant, account_id, transaction_id, amount, currency, description, type, sub_type,
      alias_id, counterparty_id, details, created_at)
    select tenant, account_id, added.id, 1, currency, 'Again', type, sub_type, alias_id, counterparty_id, details,
      '2026-02-10T00:00:00Z'
    from banking.payments cross join added where account_id = ${account}`)
  expect((await reconcile(database, 'bank')).balanceMismatches).toEqual([])
  return customer
}

test('CSV has a line per payment, and no formulas', async () => {
  const [, line, ...rest] = (await content(ada, 'CSV')).split('\r\n')
  expect(line).toMatch(
    /^2026-03-05,-12\.50,"NL\d\dICSA\d{10}","NL\d\dICSA\d{10}","[^"]+","'=SUM\(A1\), ""quoted"" é",87\.50$/,
  )
  expect(rest).toEqual([''])
  expect((await content(ada, 'CSV', '2026-03-01')).split('\r\n')).toHaveLength(4)
})

test('MT940 has opening and closing balances', async () => {
  const message = await content(ada, 'MT940')
  expect(message).toContain(':60F:C260302EUR100,00')
  expect(message).toContain(':61:2603050305D12,50NTRF')
  expect(message).toContain(':62F:C260305EUR87,50')
})

test('PDF has correct offsets', async () => {
  const pdf = await content(ada, 'PDF')
  const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1])
  expect(pdf.slice(start, start + 4)).toBe('xref')
  const offsets = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, at]) => Number(at))
  for (const [nth, at] of offsets.entries()) expect(pdf.slice(at, at + 8)).toContain(`${nth + 1} 0 obj`)
  expect(pdf).toContain('Closing balance 87.50')
})

const february = ['2026-02-01', '2026-02-28'] as const
/** More than a page of the store; the first version truncated statements at 100,000 payments. */
const payments = sized(12_001, 1_000_001)

let busy: Promise<Customer> | undefined

test.each(['CSV', 'MT940', 'PDF'] as const)('%s has all payments, however many', async (format) => {
  busy ??= customerWithMany()
  const text = await content(await busy, format, ...february)
  const total = (payments / 100).toFixed(2)
  expect(text.split('Again')).toHaveLength(payments + 1)
  if (format === 'CSV') expect(text.split('\r\n')).toHaveLength(payments + 2)
  if (format === 'MT940') expect(text).toContain(`:62F:C260228EUR${total.replace('.', ',')}`)
  if (format === 'PDF') expect(text).toContain(`Closing balance ${total}`)
})

test('a statement that does not match the balance of its account is not sent', async () => {
  const customer = await customerWithMany(10)
  await bank.app.platform.database.run(sql`
    update banking.payments set transaction_id = 0
    where id = (select max(id) from banking.payments where account_id = ${customer.account['monetary-accountID']})`)
  await expect(content(customer, 'CSV', ...february)).rejects.toMatchObject({ status: 500 })
})

test('opening and closing balances are those of the ledger, also where payments were made out of order', async () => {
  const customer = await bank.customer('1.00')
  const { database } = bank.app.platform
  const account = customer.account['monetary-accountID']
  const balance = (day: string) => balanceAt(database, 'bank', account, new Date(`${day}T00:00:00Z`))
  expect([await balance('2026-03-05'), await balance('2026-03-06')]).toEqual([0n, 100n])
  // A transaction with a smaller id and a later time than the next one, as concurrent ones can have.
  const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
  for (const value of ['0.10', '0.01']) {
    const body = { amount_inquired: euros(value), counterparty_alias: sugar, description: 'Please' }
    await customer.api.createRequestInquiry({ params: customer.account, body })
  }
  const move = (amount: number, to: string) =>
    database.script(`
      alter table banking.ledger_transactions disable trigger user;
      update banking.ledger_transactions t set created_at = '${to}' from banking.payments p
        where p.account_id = ${account} and p.amount = ${amount} and t.id = p.transaction_id;
      alter table banking.ledger_transactions enable trigger user;
      update banking.payments set created_at = '${to}' where account_id = ${account} and amount = ${amount}`)
  await move(10, '2026-02-03T00:00:01Z')
  await move(1, '2026-02-03T00:00:00Z')
  expect([await balance('2026-02-03'), await balance('2026-02-04')]).toEqual([0n, 11n])
  expect(await content(customer, 'MT940', '2026-02-03', '2026-02-03')).toContain(':62F:C260203EUR0,11')
})

test('a session gets a signature over the whole content', async () => {
  const { api, serverKey, token, keys } = await signIn(bank.url, ada.key)
  const body = { statement_format: 'CSV', date_start: '2026-02-01', date_end: '2026-03-05' } as const
  const id = idOf(await api.createStatement({ params: ada.account, body }))
  const { userID, 'monetary-accountID': account } = ada.account
  const path = `/v1/user/${userID}/monetary-account/${account}/customer-statement/${id}/content`
  expect((await signing(token, keys, serverKey)(`${bank.url}${path}`)).status).toBe(200)
})

test('invalid or reversed dates are rejected', async () => {
  const make = (date_start: string, date_end: string) =>
    ada.api.createStatement({ params: ada.account, body: { statement_format: 'CSV', date_start, date_end } })
  await expect(make('2026-03-02', '2026-03-01')).rejects.toMatchObject({ status: 400 })
  await expect(make('2026-13-01', '2026-13-02')).rejects.toMatchObject({ status: 400 })
})
