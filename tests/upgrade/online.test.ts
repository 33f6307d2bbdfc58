import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Database, type Migration, migrate, migrationLimits, openDatabase, sql } from '@icosa/kernel'
import { children, createTestDatabase, testServerUrl } from '@icosa/testing'
import { expect, test } from 'vitest'
import { createDatabase } from '../../apps/server/src/testkit/database.ts'
import { allMigrations, history, judge } from './online.ts'
import { fill, migrateUnderWrites } from './under-writes.ts'

const rows = process.env.NIGHTLY ? 1_000_000 : 10_000

interface Opened extends AsyncDisposable {
  readonly url: string
  readonly database: Database
}

/** A small shop database, whose function `slow` makes 200 rows take as long as millions. */
async function opened(): Promise<Opened> {
  const testDatabase = await createTestDatabase([])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 8, onError: () => {} })
  await database.script(shop)
  return {
    url: testDatabase.url,
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
    },
  }
}

const shop = `
  create schema shop;
  create table shop.customers (id int primary key, email text);
  create table shop.orders (id int primary key, customer int not null, note text, price varchar(20), paid boolean);
  alter table shop.orders add constraint paid_known check (paid is not null) not valid;
  alter table shop.orders validate constraint paid_known;
  create function shop.slow(id int) returns int immutable language plpgsql as
    $$ begin perform pg_sleep(0.003); return id; end $$`

async function emptyDatabase() {
  const testDatabase = await createDatabase(testServerUrl)
  const database = openDatabase({ url: testDatabase.url, maxConnections: 8, onError: () => {} })
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await testDatabase.drop()
    },
  }
}

const file = (text: string, name = '0001_change.expand.sql'): Migration => ({ owner: 'shop', name, text })

test('migrations that block writes or break older nodes are detected', async () => {
  await using cell = await opened()
  const cases: readonly (readonly [string, string])[] = [
    ['create index by_customer on orders (customer)', 'reads all of shop.orders'],
    ['create unique index by_customer on orders (customer)', 'refuses writes of older nodes'],
    ['alter table orders add unique (customer)', 'refuses writes of older nodes'],
    ['alter table orders add column token text default gen_random_uuid()', 'rewrites shop.orders'],
    ['alter table orders alter column price type int using price::int', 'rewrites shop.orders'],
    ['alter table orders alter column price type text', 'changes the type of shop.orders.price'],
    ['alter table orders alter column note set not null', 'reads all of shop.orders'],
    ['alter table orders add foreign key (customer) references customers', 'reads all of shop.'],
    ['alter table orders add check (customer > 0)', 'reads all of shop.orders'],
    ['alter table orders add column at timestamptz; update orders set at = now()', 'reads all of shop.orders'],
    ['create table sums as select count(*) from orders; alter table orders add x int', 'reads all of shop.orders'],
    ['alter table orders add column kind text not null', 'without a default'],
    ['alter table orders drop column note', 'removes shop.orders.note'],
    ['alter table orders rename column note to remark', 'removes shop.orders.note'],
    ['drop table customers', 'removes shop.customers.id'],
  ]
  for (const [text, problem] of cases)
    expect((await judge(cell.database, file(text))).problems.join('\n'), text).toContain(problem)
  const unique = file('create unique index concurrently one on shop.orders (note)', '0002_one.expand.concurrent.sql')
  expect((await judge(cell.database, unique)).problems).toHaveLength(1)
})

test('migrations that only add are accepted', async () => {
  await using cell = await opened()
  const added = `
    alter table orders add column kind text not null default 'web', add column token uuid;
    alter table orders add foreign key (customer) references customers not valid;
    alter table orders alter column price type varchar(20);
    alter table orders alter column paid set not null;
    create table lines (id int primary key, "order" int not null references orders, unique (id, "order"));
    create index on lines ("order")`
  expect(await judge(cell.database, file(added.replace(/.*paid.*/, '')))).toEqual({
    problems: [],
    tables: ['shop.customers', 'shop.orders'],
  })
  const mandatory = await judge(cell.database, file(added, '0003_paid.sql'))
  expect(mandatory.problems, 'a validated check avoids the scan').toEqual([])
})

test('building an index concurrently allows writes; in a transaction it blocks them', async () => {
  await using cell = await opened()
  const { database } = cell
  await fill(database, 'shop.orders', 200)
  const blocking = file('create index one on orders (slow(id))', '0001_one.expand.sql')
  const concurrent = file(
    'create index concurrently two on shop.orders (shop.slow(id))',
    '0002_two.expand.concurrent.sql',
  )
  const without = await migrateUnderWrites(database, blocking, ['shop.orders'])
  await database.script('drop index shop.one')
  const beside = await migrateUnderWrites(database, concurrent, ['shop.orders'])
  console.log(without, beside)
  expect(without.maxMs).toBeGreaterThan(without.migrationMs * 0.5)
  expect(beside.maxMs).toBeLessThan(beside.migrationMs * 0.5)
})

test('a concurrent migration succeeds in the next process after one was killed midway', async () => {
  await using cell = await opened()
  await using processes = children()
  const { database, url } = cell
  await fill(database, 'shop.orders', 200)
  const migrations = [
    file('create index concurrently two on shop.orders (shop.slow(id))', '0001_two.expand.concurrent.sql'),
  ]
  const child = processes.add(
    fork(new URL('migrating.ts', import.meta.url), [url, JSON.stringify(migrations)], { stdio: 'inherit' }),
  )
  await expect.poll(() => database.many(sql`select 1 from pg_stat_progress_create_index`)).toHaveLength(1)
  const dead = once(child, 'exit')
  child.kill('SIGKILL')
  await dead
  const applied = sql`select name from icosa.migrations where owner = 'shop'`
  expect(await database.many(applied)).toEqual([])
  await migrate(database, migrations)
  expect(await database.many(applied)).toHaveLength(1)
  expect(await database.one(sql`select indisvalid from pg_index where indexrelid = 'shop.two'::regclass`)).toEqual({
    indisvalid: true,
  })
})

test('no new migration blocks writes to its tables while it runs', async () => {
  const all = await allMigrations()
  const nameOf = ({ owner, name }: Migration) => `${owner}/${name}`
  const names = new Set(all.map(nameOf))
  expect([...history].filter((name) => !names.has(name))).toEqual([])
  const added = all.filter((migration) => !history.has(nameOf(migration)))
  if (added.length === 0) return
  await using testDatabase = await emptyDatabase()
  const { database } = testDatabase
  await migrate(
    database,
    all.filter((migration) => !added.includes(migration)),
  )
  const problems: string[] = []
  for (const migration of added) {
    const verdict = await judge(database, migration)
    problems.push(...verdict.problems.map((problem) => `${nameOf(migration)} ${problem}`))
    const filled: string[] = []
    for (const table of verdict.tables) if (await fill(database, table, rows)) filled.push(table)
    const { writes, maxMs, migrationMs } = await migrateUnderWrites(database, migration, filled)
    const [took, longest] = [migrationMs, maxMs].map(Math.round)
    console.log(`${nameOf(migration)}: ${took} ms, meanwhile ${writes} writes, the longest took ${longest} ms`)
    if (process.env.NIGHTLY) expect(maxMs, migration.name).toBeLessThan(2 * migrationLimits.lockTimeoutMs)
  }
  expect(problems).toEqual([])
})
