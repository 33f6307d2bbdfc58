import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLedger, type TestLedger, tenant, transferOf } from '../testing/ledger.ts'
import { balancesOf, type Posted, placeHold, post } from './store.ts'

const at = new Date('2026-01-01T00:00:00Z')
let ledger: TestLedger

beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger[Symbol.asyncDispose]())

const amountOf = async (account: string) => (await balancesOf(ledger.database, tenant, [account])).get(account)?.amount

test('a hold waits for one that is being placed, and sees its amount', async () => {
  const account = await ledger.account(1_000n)
  const inside = ledger.database.transaction
  const place = () => inside((db) => placeHold(db, tenant, { account, amount: 800n, at }))
  let second: Promise<string | undefined> | undefined
  await inside(async (db) => {
    expect(await placeHold(db, tenant, { account, amount: 800n, at })).toBeDefined()
    second = place()
    const waiting = sql`select 1 from pg_locks where not granted`
    await expect.poll(() => ledger.database.many(waiting)).not.toEqual([])
  })
  expect(await second).toBeUndefined()
  expect((await balancesOf(ledger.database, tenant, [account])).get(account)?.reserved).toBe(800n)
})

test('concurrent requests with one id from different accounts post one transaction, which the others get', async () => {
  const [one, other, payee] = [await ledger.account(5n), await ledger.account(5n), await ledger.account()]
  const inside = ledger.database.transaction
  let second: Promise<Posted> | undefined
  const first = await inside(async (db) => {
    const posted = await post(db, tenant, transferOf(one, payee, 1n, 'shared id'))
    second = inside((later) => post(later, tenant, transferOf(other, payee, 1n, 'shared id')))
    const waiting = sql`select 1 from pg_locks where not granted`
    await expect.poll(() => ledger.database.many(waiting)).not.toEqual([])
    return posted
  })
  expect(first).toMatchObject({ outcome: 'posted' })
  expect(await second).toEqual({ ...first, outcome: 'differs' })
  expect([await amountOf(one), await amountOf(other), await amountOf(payee)]).toEqual([4n, 5n, 1n])
})

test('concurrent payments into one account do not wait for each other', async () => {
  const merchant = await ledger.account()
  const payers = await Promise.all(Array.from({ length: 8 }, () => ledger.account(100n)))
  // All transactions are open at the same time; with a single lock, the second would wait forever.
  let inside = 0
  let release = () => {}
  const all = new Promise<void>((resolve) => {
    release = resolve
  })
  await Promise.all(
    payers.map((payer) =>
      ledger.database.transaction(async (db) => {
        await post(db, tenant, transferOf(payer, merchant, 100n))
        if (++inside === payers.length) release()
        await all
      }),
    ),
  )
  expect(await amountOf(merchant)).toBe(800n)
  expect(await ledger.transfer(merchant, payers[0] as string, 800n), 'all of it can be spent').toMatchObject({
    outcome: 'posted',
  })
})
