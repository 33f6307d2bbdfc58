import { createTestDatabase } from '@icosa/testing'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '../db.ts'
import { pointReads } from './point-reads.ts'

let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>
let database: Database

beforeAll(async () => {
  testDatabase = await createTestDatabase([])
  database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
  await database.script(`
    create table plans (tenant text, number int, at timestamptz, notes jsonb, seen bytea, primary key (tenant, number));
    insert into plans select 'ada', number, '2026-01-01'::timestamptz + number * interval '1 day',
      jsonb_build_object('of', number), decode(lpad(to_hex(number), 8, '0'), 'hex') from generate_series(1, 500) number`)
})

afterAll(async () => {
  await database.close()
  await testDatabase[Symbol.asyncDispose]()
})

const plan = (number: unknown) =>
  sql`select number, at, notes, seen, null as nothing from plans where tenant = ${'ada'} and number = ${number}`

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

test('concurrent reads return the same results as single ones: typed, and undefined without a row', async () => {
  const alone = await Promise.all(upTo(300).map((number) => database.maybe<object>(plan(number))))
  const combined = await Promise.all(upTo(300).map((number) => database.point<object>(plan(number))))
  expect(combined).toStrictEqual(alone)
  expect(combined[0]).toBeUndefined()
  expect(combined[1]).toMatchObject({ number: 1, at: expect.any(Date), notes: { of: 1 }, seen: expect.any(Buffer) })
})

test('reads of one tick are combined into statements of up to a hundred; a single read stays single', async () => {
  const stamped = (number: number) =>
    sql`select number, statement_timestamp()::text || pg_backend_pid() as statement from plans
      where tenant = ${'ada'} and number = ${number}`
  const read = (number: number) => database.point<{ number: number; statement: string }>(stamped(number))
  await Promise.all(upTo(10).map(read)) // to learn the parameter types
  const rows = await Promise.all(upTo(101).map(read))
  expect(rows.slice(1).map((row) => row?.number)).toEqual(upTo(101).slice(1))
  expect(new Set(rows.slice(1).map((row) => row?.statement)).size).toBe(2)
  for (const number of [1, 2, 3]) expect(await read(number)).toMatchObject({ number })
})

test('a value that the server refuses fails only its own read', async () => {
  const reads = [...upTo(20), 'not a number', ...upTo(20)].map((number) => database.point<object>(plan(number)))
  const outcomes = await Promise.allSettled(reads)
  const failed = outcomes.flatMap((outcome, place) => (outcome.status === 'rejected' ? place : []))
  expect(failed).toEqual([20])
})

test('reads that cannot be combined run one by one: list values, limit values, no values', async () => {
  const statements = [
    (number: number) => sql`select number from plans where tenant = ${'ada'} and number = any(${[number]})`,
    (number: number) => sql`select number from plans where number = ${number} limit ${1}`,
    (number: number) =>
      sql`select number from plans where number = 7 and ${number}::int is not null and tenant <> '$1'`,
  ]
  for (const statement of statements) {
    const alone = await Promise.all(upTo(50).map((number) => database.maybe<object>(statement(number))))
    expect(await Promise.all(upTo(50).map((number) => database.point<object>(statement(number))))).toEqual(alone)
  }
  const without = upTo(20).map(() => database.point<object>(sql`select 1 as one`))
  expect(await Promise.all(without)).toEqual(upTo(20).map(() => ({ one: 1 })))
})

test('a read sees everything committed before it was requested', async () => {
  const add = (number: number) => database.run(sql`insert into plans (tenant, number) values ('ada', ${number})`)
  await Promise.all(
    upTo(60).map(async (index) => {
      const number = 1_000 + index
      await add(number)
      expect(await database.point(plan(number))).toMatchObject({ number })
    }),
  )
})

test('a read in a transaction sees its own writes', async () => {
  await database.transaction(async (db) => {
    await db.run(sql`insert into plans (tenant, number) values ('ada', 2000)`)
    expect(await db.point(plan(2_000))).toMatchObject({ number: 2_000 })
  })
})

test('tenants do not share a queue', async () => {
  const slow = (tenant: string) => database.of(tenant).point(sql`select pg_sleep(${0.3}::float)`)
  const slowReads = [slow('bob'), slow('bob'), slow('bob')]
  const waited = Promise.all(slowReads).then(() => 'bob')
  expect(
    await Promise.race([
      waited,
      database
        .of('ada')
        .point(plan(1))
        .then(() => 'ada'),
    ]),
  ).toBe('ada')
  await waited
})

test('a lost connection fails all reads of the batch, and the next read succeeds', async () => {
  const reads = upTo(50).map(() => database.point(sql`select pg_terminate_backend(pg_backend_pid()), ${1}::int`))
  const outcomes = await Promise.allSettled(reads)
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(await database.point(plan(1))).toMatchObject({ number: 1 })
})

test('a statement whose description was cancelled does not prevent others from being combined', async () => {
  const client = new pg.Client(testDatabase.url)
  await client.connect()
  const sent: string[] = []
  const point = pointReads(async ({ text, values }) => {
    const isFirst = sent.push(text) === 1
    if (!isFirst) return client.query(text, values.length > 0 ? values : undefined)
    await client.query(text.split(';', 1)[0] as string) // prepares, then is cancelled
    throw new Error('canceling statement due to user request')
  })
  const first = (number: number) => sql`select number as first from plans where number = ${number}`
  const second = (number: number) => sql`select number as second from plans where number = ${number}`
  expect(await Promise.all([point(first(1)), point(first(2))])).toEqual([{ first: 1 }, { first: 2 }])
  expect(await Promise.all([point(second(1)), point(second(2))])).toEqual([{ second: 1 }, { second: 2 }])
  expect(sent.at(-1)).toContain('unnest')
  await client.end()
})
