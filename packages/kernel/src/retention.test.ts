import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type Database, sql } from './db/db.ts'
import type { Service } from './service.ts'

const dayMs = 86_400_000

const left = async (database: Database) =>
  (await database.many<{ id: string }>(sql`select id from icosa.operations order by id`)).map(({ id }) => id)

/** Inserts operations of the given ages in days and status. */
async function operations(database: Database, now: Date, status: string, days: readonly number[]): Promise<void> {
  for (const age of days) {
    const at = new Date(now.getTime() - age * dayMs)
    await database.run(sql`
      insert into icosa.operations (tenant, id, service, kind, status, created_at, updated_at)
      values ('ada', ${`${status} ${age}`}, 'example', 'publishNote', ${status}, ${at}, ${at})`)
  }
}

test('an operation is deleted a week after its end, by the platform clock; a running one is not', async () => {
  await using app = await startTestApp(example)
  const { database, clock } = app.platform
  for (const status of ['pending', 'running', 'succeeded', 'failed', 'cancelled'])
    await operations(database, clock.now(), status, [0, 6, 8])
  await app.clock.advance(3_600_000)
  await app.jobs.drain()
  const open = ['pending 0', 'pending 6', 'pending 8', 'running 0', 'running 6', 'running 8']
  expect(await left(database)).toEqual([
    'cancelled 0',
    'cancelled 6',
    'failed 0',
    'failed 6',
    ...open,
    'succeeded 0',
    'succeeded 6',
  ])
  await app.clock.advance(7 * dayMs)
  await app.jobs.drain()
  expect(await left(database)).toEqual(open)
})

test('an operator can lengthen or shorten the retention', async () => {
  for (const [days, kept] of [
    [90, ['succeeded 2', 'succeeded 80']],
    [1, []],
  ] as const) {
    await using app = await startTestApp({ services: [example], keepDays: { 'icosa.operations': days } })
    const { database, clock } = app.platform
    await operations(database, clock.now(), 'succeeded', [2, 80, 100])
    await app.clock.advance(3_600_000)
    await app.jobs.drain()
    expect(await left(database)).toEqual(kept)
  }
})

test('idempotent replies are deleted after a day, even if their tenant never returns', async () => {
  await using app = await startTestApp(example)
  const { database, clock } = app.platform
  const yesterday = new Date(clock.now().getTime() - dayMs)
  await database.run(sql`
    insert into icosa.idempotent_replies (tenant, operation, token, content_hash, reply, created_at)
    values ('ada', 'Make', 'old', '', 'null', ${yesterday}), ('ada', 'Make', 'new', '', 'null', ${clock.now()})`)
  await app.clock.advance(3_600_000)
  await app.jobs.drain()
  expect(await database.many(sql`select token from icosa.idempotent_replies`)).toEqual([{ token: 'new' }])
})

test('a blob is deleted with its row, even if the store was unavailable at that time', async () => {
  const blob = { of: ['id'], key: (id: string) => id }
  const aging: Service = { ...example, retention: { notes: { column: 'created_at', keepDays: 30, blob } } }
  await using app = await startTestApp(aging)
  const { database, blobs, clock } = app.platform
  const now = clock.now().getTime()
  const keys: string[] = []
  for (let number = 0; number < 250; number++) {
    const [id, age] = [`note ${number}`, number < 240 ? 31 : 20]
    await database.run(sql`
      insert into example.notes (tenant, id, title, text, created_at)
      values ('ada', ${id}, 'title', 'text', ${new Date(now - age * dayMs)})`)
    keys.push((await blobs.put(`example/ada/${id}`, Buffer.from(id))).key)
  }
  const exist = async () => (await blobs.list('example/', { limit: 1_000 })).items.length
  const away = { delete: blobs.delete }
  Object.assign(blobs, { delete: async () => Promise.reject(new Error('The store is away.')) })
  await app.clock.advance(3_600_000)
  await app.jobs.drain()
  expect(await database.one(sql`select count(*)::int as notes from example.notes`)).toEqual({ notes: 10 })
  expect(await exist()).toBe(250)
  await app.clock.advance(dayMs)
  await app.jobs.drain()
  Object.assign(blobs, away)
  await app.clock.advance(3_600_000)
  await app.jobs.drain()
  expect(await exist()).toBe(10)
  expect(await blobs.head(keys.at(-1) as string)).toBeDefined()
})
