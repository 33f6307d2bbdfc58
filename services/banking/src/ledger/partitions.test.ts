import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, sql } from '@icosa/kernel'
import { seededBelow } from '@icosa/testing'
import { expect, test } from 'vitest'
import { bank } from '../commands/bank.ts'
import { euros, openBank } from '../testing/bank.ts'
import { inParallel, openLedger, type TestLedger, tenant } from '../testing/ledger.ts'
import { everyPartition } from './archive.ts'
import { extend, maintainPartitions } from './jobs.ts'
import { closingMismatches, listPartitions, partitioned } from './partitions-store.ts'
import { reconcile } from './store.ts'

const balanced = { sum: 0n, balanceMismatches: [], overdrawn: [], holdMismatches: [] }
const postings = { table: 'ledger_postings' } as const
const first = 25_000_000
const size = 100

/** Simulates a nearly full first partition. */
const almostFull = ({ database }: Pick<TestLedger, 'database'>) =>
  database.run(sql`
    select setval(pg_get_serial_sequence('banking.ledger_transactions', 'id'), ${first - 50}::bigint),
      setval(pg_get_serial_sequence('banking.payments', 'id'), ${2 * first - 5}::bigint)`)

test('partitions are added and closed by two workers while 16 clients pay, and the books always reconcile', async () => {
  await using ledger = await openLedger()
  const { database } = ledger
  const accounts = await Promise.all(Array.from({ length: 40 }, () => ledger.account(10_000n)))
  await almostFull(ledger)
  await Promise.all([extend(database.transaction, size), extend(database.transaction, size)])
  let isOver = false
  // Unlike in production, payers may outrun the workers that add partitions, so they wait for room.
  let paid = 0
  let room = size
  const maintain = async () => {
    while (!isOver) {
      const before = paid
      await maintainPartitions(database.transaction, size)
      room = before + 2 * size
      expect(await reconcile(database, tenant)).toEqual(balanced)
      await sleep(5)
    }
  }
  let hasFailed = false
  const maintenance = Promise.all([maintain(), maintain()])
  maintenance.catch(() => {
    hasFailed = true // reported below
  })
  const next = seededBelow(3)
  await inParallel(16, 800, async () => {
    const [from, to] = [accounts[next(40)] as string, accounts[next(40)] as string]
    while (paid >= room && !hasFailed) await sleep(1)
    paid += 1
    if (from !== to) await ledger.transfer(from, to, BigInt(1 + next(100)))
  }).finally(() => {
    isOver = true
  })
  await maintenance
  await maintainPartitions(database.transaction, size)
  const all = await listPartitions(database, postings)
  expect(all.filter(({ isClosed }) => isClosed).length).toBeGreaterThan(3)
  expect(all.filter(({ isClosed }) => !isClosed).length).toBeGreaterThanOrEqual(3)
  expect(await reconcile(database, tenant)).toEqual(balanced)
  expect(await closingMismatches(database, tenant)).toEqual([])

  const late = database.transaction((db) =>
    db.run(sql`
      insert into banking.ledger_postings (tenant, account_id, transaction_id, currency, amount, balance_after)
      values (${tenant}, ${accounts[0]}, 7, 'EUR', 5, 5), (${tenant}, ${accounts[1]}, 7, 'EUR', -5, -5)`),
  )
  await expect(late, 'a closed partition rejects rows').rejects.toThrow('closed')
  await expect(database.script('delete from banking.ledger_postings')).rejects.toThrow('nothing leaves the ledger')

  await database.run(sql`
    update banking.ledger_closings set amount = amount + 1 where account_id = ${accounts[5]} and until = ${first}`)
  expect(await reconcile(database, tenant)).toMatchObject({ balanceMismatches: [accounts[5]] })
  expect(await closingMismatches(database, tenant)).toEqual([{ account: accounts[5], until: String(first) }])
})

test('a page of payments spans partitions, and closed ones are clustered by account and moved to another disk', async () => {
  await using own = await openBank()
  const { database } = own.app.platform
  const [ada, bram] = [await own.customer('500.00'), await own.customer()]
  await almostFull({ database })
  await extend(database.transaction, size)
  const pay = () =>
    ada.api.createPayment({
      params: ada.account,
      body: { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' },
    })
  for (let nth = 0; nth < 12; nth++) await pay()
  const list = async () => {
    const { body } = await bram.api.listPayments({ params: bram.account, query: { count: 50 } })
    return body.Response.map(({ Payment }) => Payment)
  }
  const before = await list()
  expect(before).toHaveLength(12)
  expect(before[0]).toMatchObject({ amount: euros('1.00'), alias: { iban: bram.pointer.value } })
  const ids = before.map(({ id }) => Number(id))
  expect(ids.some((id) => id < 2 * first) && ids.some((id) => id >= 2 * first)).toBe(true)

  const { rows } = await database.one<{ rows: number }>(sql`select count(*)::int as rows from banking.labels`)
  expect(rows, 'payments share labels').toBeLessThan(6)

  await database.run(sql`
    select setval(pg_get_serial_sequence('banking.ledger_transactions', 'id'), ${first + 500}::bigint),
      setval(pg_get_serial_sequence('banking.payments', 'id'), ${2 * first + 1_000}::bigint)`)
  await maintainPartitions(database.transaction, size)
  await using _ = await anotherDisk(own.app.databaseUrl, 'slow')
  const run = (action: string, flags = {}) =>
    bank.run({
      words: [action],
      flags,
      withDatabase: (work: (opened: typeof database) => unknown) => work(database),
    } as never)
  await expect(run('archive', { tablespace: 'nowhere' })).rejects.toThrow('no tablespace nowhere')
  /** Constraints, indexes and triggers, except the one that closes it. */
  const shapeOf = async (name: string) => {
    const definitions = await database.many<{ definition: string }>(sql`
      select pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = ${`banking.${name}`}::regclass and conname <> 'closed'
      union all
      select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX .* USING', 'INDEX') || i.inhparent::regclass::text
      from pg_index join pg_inherits i on i.inhrelid = indexrelid where indrelid = ${`banking.${name}`}::regclass and indisvalid
      union all
      select regexp_replace(tgname, '[0-9]+', '') || ' of ' || tgparentid::text from pg_trigger
      where tgrelid = ${`banking.${name}`}::regclass
      order by 1`)
    return definitions.map(({ definition }) => definition)
  }
  const placement = async () => {
    const all = await everyPartition(database)
    for (const { isClosed, isSorted } of all) expect(isSorted).toBe(isClosed)
    for (const { table } of partitioned) {
      const [first, ...others] = all.filter((partition) => partition.table === table)
      const shape = await shapeOf(first?.name as string)
      expect(shape.length, 'keys, indexes and triggers').toBeGreaterThan(3)
      for (const { name } of others) expect(await shapeOf(name), name).toEqual(shape)
    }
    return new Set(
      all.map(({ table, isClosed, tablespace }) => `${table} ${isClosed ? 'closed' : 'open'} ${tablespace}`),
    )
  }
  const everywhere = (tablespace: string) =>
    new Set(partitioned.flatMap(({ table }) => [`${table} closed ${tablespace}`, `${table} open pg_default`]))
  let isOver = false
  let paid = 0
  const lists = async () => {
    while (!isOver) await list()
  }
  const pays = async () => {
    for (; !isOver && paid < 30; paid++) await pay()
  }
  const archiving = run('archive').finally(() => {
    isOver = true
  })
  await Promise.all([archiving, lists(), pays()])
  expect(await placement()).toEqual(everywhere('pg_default'))
  const rowsInOrder = await database.many<{ account: string }>(
    sql`select account_id as account from banking.payments_0 order by ctid`,
  )
  const accounts = rowsInOrder.map(({ account }) => Number(account))
  expect(accounts).toEqual(accounts.toSorted((a, b) => a - b))
  await run('archive', { tablespace: 'slow' })
  expect(await placement()).toEqual(everywhere('slow'))
  await run('partitions')
  const after = await list()
  expect(after.slice(-12)).toEqual(before)
  expect(after).toHaveLength(12 + paid)
  for (const table of ['ledger_postings', 'payments'])
    await expect(database.script(`insert into banking.${table}_0 select * from banking.${table}_0`)).rejects.toThrow(
      'closed',
    )
  await expect(database.script('delete from banking.ledger_postings_0')).rejects.toThrow('nothing leaves the ledger')
  await run('prove', { tenant: 'bank' })
})

/** Creates a tablespace as superuser, in the data directory of the server. */
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
