import { sql } from '@icosa/kernel'
import { seededBelow, sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inParallel, openLedger, type TestLedger, tenant, transferOf } from '../testing/ledger.ts'
import { balancesOf, type NewTransaction, post, postTogether, reconcile } from './store.ts'

const at = new Date('2026-01-01T00:00:00Z')
const balanced = { sum: 0n, balanceMismatches: [], overdrawn: [], holdMismatches: [] }
let ledger: TestLedger

beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger[Symbol.asyncDispose]())

const amountOf = async (account: string) => (await balancesOf(ledger.database, tenant, [account])).get(account)?.amount

test('transactions posted together have the outcomes, balances and slots that each would have alone', async () => {
  const [rich, poor, shop] = [await ledger.account(1_000n), await ledger.account(100n), await ledger.account()]
  const together = (...transactions: NewTransaction[]) =>
    ledger.database.transaction((db) => postTogether(db, tenant, transactions))
  const paid = await together(
    transferOf(rich, shop, 10n, 'together 1'),
    transferOf(poor, shop, 20n),
    transferOf(rich, poor, 30n, 'together 2'),
    transferOf(rich, shop, 40n),
  )
  expect(paid.map(({ outcome }) => outcome)).toEqual(['posted', 'posted', 'posted', 'posted'])
  expect([await amountOf(rich), await amountOf(poor), await amountOf(shop)]).toEqual([920n, 110n, 70n])
  const ids = paid.map((one) => ('id' in one ? one.id : ''))
  const rows = await ledger.database.many<{ account: string; after: string }>(sql`
    select account_id as account, balance_after as after from banking.ledger_postings
    where transaction_id = any(${ids}::bigint[]) order by transaction_id, amount`)
  expect(rows.map(({ account, after }) => [account, after])).toEqual([
    [rich, '990'],
    [shop, '10'],
    [poor, '80'],
    [shop, '30'],
    [rich, '960'],
    [poor, '110'],
    [rich, '920'],
    [shop, '70'],
  ])

  const mixed = await together(
    transferOf(rich, shop, 10n, 'together 1'),
    transferOf(rich, shop, 11n, 'together 1'),
    transferOf(poor, shop, 111n),
    transferOf(rich, poor, 20n, 'together 3'),
    transferOf(poor, shop, 130n),
    transferOf(rich, poor, 20n, 'together 3'),
    transferOf('999999', shop, 1n),
  )
  expect(mixed).toEqual([
    { outcome: 'repeated', id: ids[0] },
    { outcome: 'differs', id: ids[0] },
    { outcome: 'insufficient', account: poor },
    { outcome: 'posted', id: expect.any(String) },
    { outcome: 'posted', id: expect.any(String) },
    { outcome: 'repeated', id: (mixed[3] as { id: string }).id },
    { outcome: 'unknown', account: '999999' },
  ])
  expect([await amountOf(rich), await amountOf(poor), await amountOf(shop)]).toEqual([900n, 0n, 200n])
  await expect(together(transferOf(rich, shop, 1n), transferOf(rich, '999999', 1n))).rejects.toThrow(
    'no account 999999',
  )
  await expect(
    together(transferOf(rich, shop, 1n), { at, postings: [{ account: rich, amount: -1n }] }),
  ).rejects.toThrow('must sum to zero')
  expect(await together()).toEqual([])
  expect(await reconcile(ledger.database, tenant)).toEqual(balanced)
})

test('concurrent batches in opposite directions neither wait in a circle nor overdraw', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, () => ledger.account(50n)))
  const next = seededBelow(3)
  const transfers = () =>
    Array.from({ length: 20 }, () => {
      const from = next(6)
      return transferOf(accounts[from] as string, accounts[(from + 1 + next(5)) % 6] as string, BigInt(1 + next(9)))
    })
  const outcomes: string[] = []
  await inParallel(8, sized(60, 1_000), async (nth) => {
    const posted =
      nth % 4 === 0
        ? await ledger.database.transaction((db) => post(db, tenant, transfers()[0] as NewTransaction))
        : await ledger.database.transaction((db) => postTogether(db, tenant, transfers()))
    outcomes.push(...[posted].flat().map(({ outcome }) => outcome))
  })
  expect(new Set(outcomes)).toEqual(new Set(['posted', 'insufficient']))
  const amounts = await Promise.all(accounts.map(amountOf))
  expect(amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n)).toBe(300n)
  expect(await reconcile(ledger.database, tenant)).toEqual(balanced)
})
