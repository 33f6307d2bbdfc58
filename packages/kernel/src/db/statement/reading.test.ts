import { Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { createTestDatabase, example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { implement, ok, withPreparation } from '../../implement.ts'
import { job } from '../../jobs/jobs.ts'
import { jobsIn } from '../../jobs/queue.ts'
import type { Service } from '../../service.ts'
import { type Db, openDatabase, type ReadingDb, sql, varying } from '../db.ts'
import { isReading } from './reading.ts'

const refused = 'This handle only reads.'
const insert = sql`insert into icosa.tenants values ('written', now()) returning id`

test('read-only statements are distinguished from all others', () => {
  const reads = [
    'select 1',
    '  (select 1) union all (select 2)',
    'with recursive a as (select 1) select * from a',
    'values (1)',
    'select updated_at, deleted, "update" from notes -- delete from notes',
    "select 'insert into notes; delete' as text /* update */",
  ]
  const writes = [
    'insert into notes values (1)',
    'UPDATE notes set title = 1',
    'with gone as (delete from notes returning *) select * from gone',
    'with new as (insert into notes values (1) returning *) select * from new',
    'select * from notes for update',
    'select * from notes for no key update skip locked',
    'select * from notes for key share',
    'select * into copies from notes',
    "select nextval('numbers')",
    "select set_config('jit', 'off', false)",
    'select pg_advisory_xact_lock(1)',
    "select pg_notify('a', 'b')",
    'select 1; delete from notes',
    "select 'a''b'; drop table notes",
    'truncate notes',
    'create table a ()',
    'do $$ begin end $$',
    'call compute()',
    'begin',
  ]
  expect(reads.filter((text) => !isReading(text))).toEqual([])
  expect(writes.filter(isReading)).toEqual([])
})

test('a read-only handle reads, and refuses any other statement every time', async () => {
  await using testDatabase = await createTestDatabase([example])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
  const { reading } = database.of('ada')
  expect(await reading.one(sql`select 1 as one`)).toEqual({ one: 1 })
  for (const statement of [insert, insert, varying(insert)]) {
    await expect(reading.many(statement)).rejects.toThrow(refused)
    await expect(reading.one(statement)).rejects.toThrow(refused)
    await expect(reading.maybe(statement)).rejects.toThrow(refused)
    await expect(reading.point(statement)).rejects.toThrow(refused)
  }
  expect(Object.keys(reading).sort()).toEqual(['many', 'maybe', 'one', 'point'])
  expect(await database.many(sql`select * from icosa.tenants`)).toEqual([])
  await database.close()
})

/** A store that bypasses the type checker. */
const write = (db: ReadingDb) => (db as Db).many(insert)
const found = { summary: 'What became of it.', replies: { 200: Type.Object({ refused: Type.Boolean() }) } }

test('reading handlers, preparations before a transaction, and jobs cannot write', async () => {
  const { get, post } = keyed('X-Api-Key')
  const outcome = async (db: ReadingDb) =>
    ok({
      refused: await write(db).then(
        () => false,
        () => true,
      ),
    })
  const contract = {
    look: get('/look', found),
    search: post('/search', { ...found, reads: true }),
    change: post('/change', found),
  }
  const resources = {
    things: implement(contract, {
      look: (_, { db }) => outcome(db),
      search: (_, { db }) => outcome(db),
      change: withPreparation(
        async (_, { db }) => outcome(db),
        async (_, { db }, before) => {
          await write(db) // here writing is allowed
          return before
        },
      ),
    }),
  }
  const seen: unknown[] = []
  const heedless = job<null>('heedless', {
    async run(_, { db }) {
      seen.push(await outcome(db))
    },
  })
  const service: Service = { ...example, apis: [{ ...example.apis[0], resources }], jobs: [heedless] }
  await using app = await startTestApp(service)
  const calls = app.client(contract, { headers: { 'x-api-key': await app.key('ada') } })
  expect(await calls.look({})).toMatchObject({ body: { refused: true } })
  expect(await calls.search({})).toMatchObject({ body: { refused: true } })
  expect(await calls.change({})).toMatchObject({ body: { refused: true } })
  const { database, queue } = app.platform
  expect(await database.many(sql`select 1 from icosa.tenants where id = 'written'`)).toHaveLength(1)
  await database.transaction((db) => jobsIn(queue, db, 'example', 'ada').enqueue(heedless, null))
  await app.jobs.drain()
  expect(seen).toMatchObject([{ body: { refused: true } }])
})
