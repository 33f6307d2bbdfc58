import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { bank } from '../commands/bank.ts'
import { euros, openBank } from '../testing/bank.ts'
import { inParallel, openLedger, random, type TestLedger, tenant } from '../testing/ledger.ts'
import { extend, tendPartitions } from './jobs.ts'
import { listPartitions, partitioned, wrongClosings } from './partitions-store.ts'
import { prove } from './store.ts'

const balanced = { sum: 0n, unproven: [], overdrawn: [], misheld: [] }
const postings = { table: 'ledger_postings' } as const
const first = 25_000_000
const size = 100

/** As if the first partition were nearly full. */
const almostFull = ({ database }: Pick<TestLedger, 'database'>) =>
  database.run(sql`
    select setval(pg_get_serial_sequence('banking.ledger_transactions', 'id'), ${first - 50}::bigint),
      setval(pg_get_serial_sequence('banking.payments', 'id'), ${2 * first - 5}::bigint)`)

test('partitions are added and closed by two workers while 16 clients pay, and the books are proven all the time', async () => {
  await using ledger = await openLedger()
  const { database } = ledger
  const accounts = await Promise.all(Array.from({ length: 40 }, () => ledger.account(10_000n)))
  await almostFull(ledger)
  await Promise.all([extend(database.transaction, size), extend(database.transaction, size)])
  let isOver = false
  const tend = async () => {
    while (!isOver) {
      await tendPartitions(database.transaction, size)
      expect(await prove(database, tenant)).toEqual(balanced)
      await sleep(5)
    }
  }
  const tending = Promise.all([tend(), tend()])
  const next = random(3)
  await inParallel(16, 800, async () => {
    const [from, to] = [accounts[next(40)] as string, accounts[next(40)] as string]
    if (from !== to) await ledger.transfer(from, to, BigInt(1 + next(100)))
    // Faster than those who add partitions, which real payers never are.
    await sleep(1)
  })
  isOver = true
  await tending
  await tendPartitions(database.transaction, size)
  const all = await listPartitions(database, postings)
  expect(all.filter(({ isClosed }) => isClosed).length).toBeGreaterThan(3)
  expect(all.filter(({ isClosed }) => !isClosed).length).toBeGreaterThanOrEqual(3)
  expect(await prove(database, tenant)).toEqual(balanced)
  expect(await wrongClosings(database, tenant)).toEqual([])

  const late = database.transaction((db) =>
    db.run(sql`
      insert into banking.ledger_postings (tenant, account_id, transaction_id, currency, amount, balance_after)
      values (${tenant}, ${accounts[0]}, 7, 'EUR', 5, 5), (${tenant}, ${accounts[1]}, 7, 'EUR', -5, -5)`),
  )
  await expect(late, 'a closed partition takes nothing').rejects.toThrow('closed')
  await expect(database.script('delete from banking.ledger_postings')).rejects.toThrow('nothing leaves the ledger')

  await database.run(sql`
    update banking.ledger_closings set amount = amount + 1 where account_id = ${accounts[5]} and until = ${first}`)
  expect(await prove(database, tenant)).toMatchObject({ unproven: [accounts[5]] })
  expect(await wrongClosings(database, tenant)).toEqual([{ account: accounts[5], until: String(first) }])
})

test('a page of payments reaches over partitions, and closed ones are moved to another disk', async () => {
  await using own = await openBank()
  const { database } = own.app.platform
  const [ada, bram] = [await own.customer('500.00'), await own.customer()]
  await almostFull({ database })
  await extend(database.transaction, size)
  const pay = () =>
    ada.ask.createPayment({
      params: ada.account,
      body: { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' },
    })
  for (let nth = 0; nth < 12; nth++) await pay()
  const listed = async () => {
    const { body } = await bram.ask.listPayments({ params: bram.account, query: { count: 50 } })
    return body.Response.map(({ Payment }) => Payment)
  }
  const before = await listed()
  expect(before).toHaveLength(12)
  expect(before[0]).toMatchObject({ amount: euros('1.00'), alias: { iban: bram.pointer.value } })
  const ids = before.map(({ id }) => Number(id))
  expect(ids.some((id) => id < 2 * first) && ids.some((id) => id >= 2 * first)).toBe(true)

  const { rows } = await database.one<{ rows: number }>(sql`select count(*)::int as rows from banking.labels`)
  expect(rows, 'payments share labels').toBeLessThan(6)

  await database.run(sql`
    select setval(pg_get_serial_sequence('banking.ledger_transactions', 'id'), ${first + 500}::bigint),
      setval(pg_get_serial_sequence('banking.payments', 'id'), ${2 * first + 1_000}::bigint)`)
  await tendPartitions(database.transaction, size)
  await using _ = await anotherDisk(own.app.databaseUrl, 'slow')
  const say = (word: string, flags = {}) =>
    bank.run({
      words: [word],
      flags,
      withDatabase: (work: (given: typeof database) => unknown) => work(database),
    } as never)
  await expect(say('archive', { tablespace: 'nowhere' })).rejects.toThrow('no tablespace nowhere')
  await say('archive', { tablespace: 'slow' })
  for (const one of partitioned) {
    const all = await listPartitions(database, one)
    expect(all.filter(({ isClosed }) => isClosed).length).toBeGreaterThan(0)
    for (const { isClosed, tablespace } of all) expect(tablespace).toBe(isClosed ? 'slow' : 'pg_default')
  }
  await say('partitions')
  expect(await listed()).toEqual(before)
  await pay()
  expect(await listed()).toHaveLength(13)
  await say('prove', { tenant: 'bank' })
})

/** A tablespace, which only a superuser makes, in the folder of the server itself. */
async function anotherDisk(databaseUrl: string, name: string): Promise<AsyncDisposable> {
  const url = new URL(databaseUrl)
  url.username = 'postgres'
  const admin = openDatabase({ url: url.href, maxConnections: 1, onError: () => {} })
  await admin.script('set allow_in_place_tablespaces = true')
  await admin.script(`create tablespace ${name} location ''`)
  await admin.script(`grant create on tablespace ${name} to public`)
  return {
    async [Symbol.asyncDispose]() {
      for (const kind of ['table', 'index'])
        await admin.script(`alter ${kind} all in tablespace ${name} set tablespace pg_default`)
      await admin.script(`drop tablespace ${name}`)
      await admin.close()
    },
  }
}
