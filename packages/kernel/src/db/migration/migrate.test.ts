import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '../db.ts'
import { concurrentStatements, type Migration } from './files.ts'
import { type MigrationLimits, migrate } from './migrate.ts'

const limits: MigrationLimits = { lockTimeoutMs: 200, maxAttempts: 30, pauseMs: 50, maxPauseMs: 100 }

interface Opened extends AsyncDisposable {
  readonly database: Database
  again(): Database
}

/** A table of 100 rows whose index on `slow(id)` takes a second to build. */
async function opened(): Promise<Opened> {
  const testDatabase = await createTestDatabase([])
  const databases: Database[] = []
  const again = () => {
    const database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
    databases.push(database)
    return database
  }
  const database = again()
  await database.script(`
    create schema shop;
    create function shop.slow(id int) returns int immutable language plpgsql as
      $$ begin perform pg_sleep(0.005); return id; end $$;
    create table shop.orders (id int primary key, customer int not null default 1);
    insert into shop.orders select generate_series(1, 100)`)
  return {
    database,
    again,
    async [Symbol.asyncDispose]() {
      await Promise.all(databases.map((database) => database.close()))
      await testDatabase[Symbol.asyncDispose]()
    },
  }
}

const file = (name: string, text: string): Migration => ({ owner: 'shop', name, text })
const addColumn = file('0001_note.expand.sql', 'alter table orders add column note text')
const slowIndex = file(
  '0002_by_slow.expand.concurrent.sql',
  `-- an index; of a function
  create index concurrently by_slow on shop.orders (shop.slow(id)) where customer::text <> 'a;b';`,
)

const createSlowIndex = concurrentStatements(slowIndex)[0]?.text ?? ''

const indexes = (database: Database) =>
  database.many(sql`
    select relname as name, indisvalid as valid from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'shop'::regnamespace and not indisprimary`)

test('a migration that waits for a lock lets writes through, names the blocker, and finally succeeds', async () => {
  await using node = await opened()
  const { database } = node
  const waiting: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
  const holding = node.again().transaction(async (db) => {
    await db.run(sql`update shop.orders set customer = 2 where id = 1`)
    locked()
    await released
  })
  await isLocked
  const longer = { ...limits, lockTimeoutMs: 1_500 }
  const migrating = migrate(database, [addColumn], { onWaiting: (message) => waiting.push(message) }, longer)
  await expect.poll(() => waiting.join('\n')).toContain('Attempt 2')
  await database.run(sql`update shop.orders set customer = 3 where id = 2`)
  release()
  await Promise.all([holding, migrating])
  expect(waiting[0]).toMatch(
    /^shop\/0001_note\.expand\.sql: shop\.orders is locked by process \d+ of icosa \(role \w+, idle in transaction, in a transaction for \d+ s\)\.$/,
  )
  await database.one(sql`select note from shop.orders where id = 1`)
})

test('a migration that never gets its lock fails with a message, and changes nothing', async () => {
  await using node = await opened()
  const { database } = node
  await node.again().transaction(async (db) => {
    await db.run(sql`lock table shop.orders in access share mode`)
    const outcome = migrate(database, [addColumn], {}, { ...limits, maxAttempts: 2 })
    await expect(outcome).rejects.toThrow(/0001_note\.expand\.sql got no lock in 2 attempts.*run `icosa migrate` again/)
  })
  expect(await database.many(sql`select 1 from icosa.migrations where owner = 'shop'`)).toEqual([])
  await migrate(database, [addColumn])
})

test('an index left invalid by a crash is dropped and rebuilt', async () => {
  await using node = await opened()
  const { database } = node
  const failure = expect(node.again().script(createSlowIndex)).rejects.toThrow()
  const builder = sql`select pg_terminate_backend(pid) from pg_stat_progress_create_index`
  await expect.poll(() => database.many(builder)).toHaveLength(1)
  await failure
  expect(await indexes(database)).toEqual([{ name: 'by_slow', valid: false }])
  await migrate(database, [slowIndex])
  expect(await indexes(database)).toEqual([{ name: 'by_slow', valid: true }])
})

test('a migration waits for an index that another process is building', async () => {
  await using node = await opened()
  const { database } = node
  const orphaned = node.again().script(createSlowIndex)
  await expect.poll(() => database.many(sql`select 1 from pg_stat_progress_create_index`)).toHaveLength(1)
  const waiting: string[] = []
  await migrate(database, [slowIndex], { onWaiting: (message) => waiting.push(message) })
  await orphaned
  expect(waiting).toEqual([expect.stringMatching(/: process \d+ still builds shop\.by_slow\.$/)])
  expect(await indexes(database)).toEqual([{ name: 'by_slow', valid: true }])
})

test('a unique index that rows violate is dropped, so that it refuses no writes', async () => {
  await using node = await opened()
  const { database } = node
  const unique = file(
    '0003_one_each.concurrent.sql',
    'create unique index concurrently one_each on shop.orders (customer)',
  )
  await expect(migrate(database, [unique])).rejects.toThrow('one_each')
  expect(await indexes(database)).toEqual([])
})

test('nodes that migrate concurrently apply each file once, including concurrent migrations', async () => {
  await using node = await opened()
  const applied: string[] = []
  const nodes = [node.database, node.again(), node.again()]
  await Promise.all(
    nodes.map((database) => migrate(database, [addColumn, slowIndex], { onApplied: ({ name }) => applied.push(name) })),
  )
  expect(applied).toEqual([addColumn.name, slowIndex.name])
  expect(await indexes(node.database)).toEqual([{ name: 'by_slow', valid: true }])
})

test.each([
  'create index by_customer on shop.orders (customer)',
  'create index concurrently on shop.orders (customer)',
  'create index concurrently by_customer on orders (customer)',
  'drop index concurrently shop.by_customer',
  'update shop.orders set customer = 1',
])('a concurrent migration may not contain: %s', (text) => {
  expect(() => concurrentStatements(file('0001_x.concurrent.sql', text))).toThrow('a concurrent migration may contain')
})
