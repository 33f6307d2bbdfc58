import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sql } from '@icosa/kernel'
import { latencyIn, seededBelow, sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inParallel, openLedger, type TestLedger, tenant, transferOf } from '../testing/ledger.ts'
import { available, balancesOf, openAccount, placeHold, post, reconcile, releaseHold, setOverdraft } from './store.ts'

const at = new Date('2026-01-01T00:00:00Z')
const balanced = { sum: 0n, balanceMismatches: [], overdrawn: [], holdMismatches: [] }
let ledger: TestLedger

beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger[Symbol.asyncDispose]())

const amountOf = async (account: string) => (await balancesOf(ledger.database, tenant, [account])).get(account)?.amount

test('a transfer moves at most the available amount', async () => {
  const [payer, payee] = [await ledger.account(1_000n), await ledger.account()]
  expect(await ledger.transfer(payer, payee, 400n)).toMatchObject({ outcome: 'posted' })
  expect(await ledger.transfer(payer, payee, 601n)).toEqual({ outcome: 'insufficient', account: payer })
  expect([await amountOf(payer), await amountOf(payee)]).toEqual([600n, 400n])
  expect(await ledger.transfer('999999', payee, 1n)).toEqual({ outcome: 'unknown', account: '999999' })
  await expect(ledger.transfer(payer, '999999', 1n)).rejects.toThrow('there is no account 999999')
})

test('an account can be overdrawn up to its limit', async () => {
  const [payer, payee] = [await ledger.account(0n, 500n), await ledger.account()]
  expect(await ledger.transfer(payer, payee, 500n)).toMatchObject({ outcome: 'posted' })
  expect(await ledger.transfer(payer, payee, 1n)).toMatchObject({ outcome: 'insufficient' })
  const set = (overdraft: bigint) => ledger.database.transaction((db) => setOverdraft(db, tenant, payer, overdraft))
  expect(await set(499n), 'the account is already overdrawn by more').toBe(false)
  expect(await set(501n)).toBe(true)
  expect(await ledger.transfer(payer, payee, 1n)).toMatchObject({ outcome: 'posted' })
})

test('a reserved amount cannot be spent, and is released once', async () => {
  const [payer, payee] = [await ledger.account(1_000n), await ledger.account()]
  const inside = ledger.database.transaction
  const hold = await inside((db) => placeHold(db, tenant, { account: payer, amount: 800n, at }))
  expect(await inside((db) => placeHold(db, tenant, { account: payer, amount: 201n, at }))).toBeUndefined()
  expect(await ledger.transfer(payer, payee, 201n)).toMatchObject({ outcome: 'insufficient' })
  expect(await ledger.transfer(payer, payee, 200n)).toMatchObject({ outcome: 'posted' })
  const captured = await inside(async (db) => {
    await releaseHold(db, tenant, hold as string, at)
    return post(db, tenant, transferOf(payer, payee, 800n))
  })
  expect(captured.outcome).toBe('posted')
  expect(await inside((db) => releaseHold(db, tenant, hold as string, at))).toBe(false)
  const balance = (await balancesOf(ledger.database, tenant, [payer])).get(payer)
  expect(balance && available(balance)).toBe(0n)
  expect(await reconcile(ledger.database, tenant)).toEqual(balanced)
})

test('a hold reserves at most the available amount; without a limit, any amount', async () => {
  const inside = ledger.database.transaction
  const place = (account: string, amount: bigint) => inside((db) => placeHold(db, tenant, { account, amount, at }))
  const account = await ledger.account(100n, 50n)
  expect(await place(account, 151n)).toBeUndefined()
  expect(await place(account, 150n)).toBeDefined()
  expect(await place('999999', 1n), 'of an unknown account').toBeUndefined()
  const balance = (await balancesOf(ledger.database, tenant, [account])).get(account)
  expect(balance).toEqual({ currency: 'EUR', amount: 100n, reserved: 150n, overdraft: 50n })
  const set = (id: string, overdraft: bigint) => inside((db) => setOverdraft(db, tenant, id, overdraft))
  expect([await set(account, 49n), await set(account, 50n)], 'reserved amounts count').toEqual([false, true])
  expect(await set('999999', 50n)).toBe(false)

  const house = await openAccount(ledger.database, tenant, { currency: 'EUR', overdraft: null, at })
  expect(await place(house, 1_000_000n)).toBeDefined()
  const unlimited = (await balancesOf(ledger.database, tenant, [house])).get(house)
  expect(unlimited).toMatchObject({ reserved: 1_000_000n, overdraft: null })
  expect(unlimited && available(unlimited)).toBeNull()
})

test("a tenant cannot read, spend, reserve or release another tenant's money", async () => {
  const [account, payee] = [await ledger.account(1_000n), await ledger.account()]
  const { database } = ledger
  const other = 'another bank'
  const inside = database.transaction
  const theirs = await openAccount(database, other, { currency: 'EUR', overdraft: 10n, at })
  const hold = (await inside((db) => placeHold(db, tenant, { account, amount: 100n, at }))) as string
  expect((await balancesOf(database, other, [account, theirs])).keys().toArray()).toEqual([theirs])
  expect(await inside((db) => placeHold(db, other, { account, amount: 1n, at }))).toBeUndefined()
  expect(await inside((db) => releaseHold(db, other, hold, at))).toBe(false)
  expect(await inside((db) => setOverdraft(db, other, account, 5n))).toBe(false)
  const spend = inside((db) => post(db, other, transferOf(account, theirs, 1n)))
  expect(await spend).toEqual({ outcome: 'unknown', account })
  expect(await inside((db) => placeHold(db, other, { account: theirs, amount: 4n, at }))).toBeDefined()
  expect(await inside((db) => setOverdraft(db, other, theirs, 9n))).toBe(true)
  expect((await balancesOf(database, tenant, [account, payee])).values().toArray()).toEqual([
    { currency: 'EUR', amount: 1_000n, reserved: 100n, overdraft: 0n },
    { currency: 'EUR', amount: 0n, reserved: 0n, overdraft: 0n },
  ])
  for (const bank of [tenant, other]) expect(await reconcile(database, bank)).toEqual(balanced)
})

test('releasing a hold affects only its own account', async () => {
  const [one, other] = [await ledger.account(100n), await ledger.account(100n)]
  const inside = ledger.database.transaction
  const [first, second] = await Promise.all(
    [one, other].map((account) => inside((db) => placeHold(db, tenant, { account, amount: 60n, at }))),
  )
  const reserved = async () =>
    (await balancesOf(ledger.database, tenant, [one, other])).values().map((balance) => balance.reserved)
  expect(await inside((db) => releaseHold(db, tenant, first as string, at))).toBe(true)
  expect([...(await reserved())]).toEqual([0n, 60n])
  expect(await inside((db) => releaseHold(db, tenant, second as string, at))).toBe(true)
  expect([...(await reserved())]).toEqual([0n, 0n])
})

test('reconciliation reports exactly the accounts that do not add up', async () => {
  await using own = await openLedger(2)
  const [account, other] = [await own.account(1_000n), await own.account(500n)]
  await own.database.transaction((db) => placeHold(db, tenant, { account, amount: 100n, at }))
  await own.database.transaction((db) => placeHold(db, tenant, { account: other, amount: 500n, at }))
  expect(await reconcile(own.database, tenant), 'to the last cent').toEqual(balanced)
  /** Reconciles after a change that the ledger itself never makes, and rolls it back. */
  const reconcileAfter = async (change: Sql) => {
    let result: unknown
    const undone = own.database.transaction(async (db) => {
      await db.run(sql`update banking.ledger_balances set ${change} where account_id = ${account} and slot = 0`)
      result = await reconcile(db, tenant)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    return result
  }
  expect(await reconcileAfter(sql`amount = amount + 1`)).toEqual({ ...balanced, sum: 1n, balanceMismatches: [account] })
  expect(await reconcileAfter(sql`amount = amount - 1`)).toEqual({
    ...balanced,
    sum: -1n,
    balanceMismatches: [account],
  })
  expect(await reconcileAfter(sql`held = held - 1`)).toEqual({ ...balanced, holdMismatches: [account] })
  expect(await reconcileAfter(sql`held = 1000`)).toEqual({ ...balanced, holdMismatches: [account] })
  expect(await reconcileAfter(sql`held = 1001`)).toEqual({
    ...balanced,
    holdMismatches: [account],
    overdrawn: [account],
  })
})

test('the database itself rejects unbalanced transactions and changes to posted ones', async () => {
  const [one, other] = [await ledger.account(1_000n), await ledger.account()]
  const { database } = ledger
  const postings = (...amounts: bigint[]) =>
    database.transaction((db) =>
      post(db, tenant, { at, postings: amounts.map((amount, nth) => ({ account: nth === 0 ? one : other, amount })) }),
    )
  await expect(postings(-100n, 99n)).rejects.toThrow('must sum to zero in every currency')
  await expect(postings(100n)).rejects.toThrow('must sum to zero in every currency')
  const dollars = await openAccount(database, tenant, { currency: 'USD', overdraft: 0n, at })
  await expect(ledger.transfer(one, dollars, 100n), 'one euro is not one dollar').rejects.toThrow('must sum to zero')
  await ledger.transfer(one, other, 100n)
  const refused = /stays as it is|nothing leaves the ledger/
  await expect(database.script('update banking.ledger_postings set amount = amount + 1')).rejects.toThrow(refused)
  await expect(database.script('delete from banking.ledger_postings')).rejects.toThrow(refused)
  await expect(database.script('delete from banking.ledger_transactions')).rejects.toThrow(refused)
  await expect(
    database.run(sql`
      insert into banking.ledger_postings (tenant, account_id, transaction_id, currency, amount, balance_after)
      values (${tenant}, ${one}, 0, 'EUR', 1, 1)`),
  ).rejects.toThrow('must sum to zero')
  expect(await reconcile(database, tenant)).toEqual(balanced)
})

test('the whole ledger of a tenant can be deleted in one transaction', async () => {
  await using own = await openLedger(4)
  await own.transfer(await own.account(100n), await own.account(), 50n)
  await own.database.transaction(async (db) => {
    for (const table of ['postings', 'transactions', 'holds', 'balances', 'accounts'])
      await db.script(`delete from banking.ledger_${table}`)
  })
  expect(await reconcile(own.database, tenant)).toEqual(balanced)
})

test('a request id posts one transaction, even a thousand times concurrently; other parameters are rejected', async () => {
  const [payer, payee] = [await ledger.account(1_000n), await ledger.account()]
  const outcomes = await Promise.all(
    Array.from({ length: 1_000 }, () => ledger.transfer(payer, payee, 1_000n, 'request 1')),
  )
  const ids = outcomes.map((outcome) => ('id' in outcome ? outcome.id : undefined))
  expect(new Set(ids).size).toBe(1)
  expect(outcomes.filter(({ outcome }) => outcome === 'posted')).toHaveLength(1)
  expect(outcomes.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(999)
  expect(await amountOf(payee)).toBe(1_000n)
  const other = await ledger.account(5n)
  expect(await ledger.transfer(payer, payee, 1n, 'request 1')).toMatchObject({ outcome: 'differs' })
  expect(await ledger.transfer(other, payee, 1n, 'request 1'), 'from another account').toMatchObject({
    outcome: 'differs',
  })
})

test('64 clients, 1,000 accounts, one of them hot: at every step the sum is zero and every balance reconciles', async () => {
  await using own = await openLedger()
  const accounts = await Promise.all(
    Array.from({ length: 1_000 }, (_, nth) => own.account(10_000n, BigInt(nth % 3) * 50n)),
  )
  const hot = accounts[0] as string
  const next = seededBelow(7)
  const transfers = sized(4_000, 1_000_000)
  const waits: Record<'hot' | 'other', number[]> = { hot: [], other: [] }
  const counts = { posted: 0, insufficient: 0 }
  const sum = async () => {
    const row = await own.database.one<{ sum: string }>(sql`select sum(amount) from banking.ledger_balances`)
    return row.sum
  }
  let reconciliations = 0
  let done = false
  const watching = (async () => {
    while (!done) {
      const began = performance.now()
      expect(await reconcile(own.database, tenant)).toEqual(balanced)
      reconciliations++
      // Reconciliation reads all postings: without a growing pause it would take as much time as the transfers.
      for (const until = performance.now() + 10 * (performance.now() - began); !done && performance.now() < until; ) {
        expect(await sum()).toBe('0')
        await sleep(20)
      }
    }
  })()
  const began = performance.now()
  await inParallel(64, transfers, async (index) => {
    const [one, other] = [accounts[next(accounts.length)] as string, accounts[next(accounts.length)] as string]
    // A third goes into the hot account, which pays it out again in larger amounts, so no account stays empty.
    const kind = index % 60 === 1 ? 'out' : index % 3 === 0 ? 'in' : 'any'
    const [from, to] = kind === 'out' ? [hot, one] : kind === 'in' ? [one, hot] : [one, other]
    if (from === to) return
    const start = performance.now()
    const { outcome } = await own.transfer(from, to, BigInt(1 + next(kind === 'in' ? 500 : 10_000)))
    counts[outcome as keyof typeof counts]++
    waits[from === hot || to === hot ? 'hot' : 'other'].push(performance.now() - start)
  })
  const seconds = (performance.now() - began) / 1_000
  done = true
  await watching
  expect(await reconcile(own.database, tenant)).toEqual(balanced)
  const rate = Math.round(transfers / seconds)
  console.log(`${transfers} transfers, ${rate} a second, ${reconciliations} reconciliations meanwhile; ms:`, {
    hot: latencyIn(waits.hot),
    other: latencyIn(waits.other),
  })
  expect(reconciliations).toBeGreaterThan(0)
  expect(counts.posted).toBeGreaterThan(transfers / 2)
  expect(counts.posted + counts.insufficient).toBeGreaterThan(transfers * 0.99)
})
