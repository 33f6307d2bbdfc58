import { example, startTestApp } from '@icosa/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Database, sql } from './db/db.ts'
import type { Finish, Job, JobContext } from './jobs/jobs.ts'
import { prepare, withPruning } from './retention.ts'
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
  for (let number = 0; number < 210; number++) {
    const [id, age] = [`note ${number}`, number < 200 ? 31 : 20]
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
  expect(await exist()).toBe(210)
  const waiting = sql`
    select payload ->> 'tenant' as tenant, jsonb_array_length(payload #> '{input,keys}') as keys from icosa.timers
    where payload ->> 'job' = 'pruneBlobs'`
  expect(await database.many(waiting), 'small jobs of the tenant').toEqual(Array(2).fill({ tenant: 'ada', keys: 100 }))
  await app.clock.advance(dayMs)
  await app.jobs.drain()
  Object.assign(blobs, away)
  await app.clock.advance(3_600_000)
  await app.jobs.drain()
  expect(await exist()).toBe(10)
  expect(await blobs.head(keys.at(-1) as string)).toBeDefined()
})

interface Turn {
  readonly table?: number
  readonly from?: string
  readonly until?: string
}

test('a turn of more than a second is continued where it ended, until the schedule fires again', async () => {
  await using app = await startTestApp(example)
  const { platform } = app
  const { database, clock } = platform
  const aging = { column: 'created_at', keepDays: 30 }
  const [bare, pruned] = withPruning([
    { ...example, jobs: undefined } as unknown as Service,
    { ...example, retention: { notes: aging, drafts: aging } },
  ])
  const ownJobs = ['prune', 'pruneBlobs']
  expect(bare?.jobs?.map(({ name }) => name)).toEqual(ownJobs)
  expect(pruned?.jobs?.map(({ name }) => name)).toEqual([...(example.jobs ?? []).map(({ name }) => name), ...ownJobs])
  const prune = pruned?.jobs?.find(({ name }) => name === 'prune') as unknown as Job<Turn>

  await app.clock.move({ frozen: true })
  const now = clock.now().getTime()
  const at = (second: number) => new Date(now - 40 * dayMs + second * 1_000)
  await database.run(sql`create table example.drafts (like example.notes)`)
  await database.run(sql`
    with old as (select 'ada', n::text, '', '', 0, ${at(0)}::timestamptz + n * interval '1 second'
      from generate_series(1, 4500) as n order by n * 7919 % 4507),
    notes as (insert into example.notes select * from old)
    insert into example.drafts select * from old limit 10`)
  await database.run(sql`insert into example.notes values ('ada', 'new', '', '', 0, ${new Date(now - 30 * dayMs)})`)
  const left = () =>
    database.one(sql`
      select (select count(*)::int from example.notes where id <> 'new') as notes, (select count(*)::int from example.drafts) as drafts`)

  let elapsedMs = 0
  let batchMs = 2_000
  const { now: elapsed } = performance
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed.call(performance) + elapsedMs)
  onTestFinished(() => void vi.restoreAllMocks())
  const context = {
    clock,
    async transaction(work: Finish) {
      const result = await platform.transaction('example', 'ada', work)
      setImmediate(() => {
        elapsedMs += batchMs
      })
      return result
    },
  }
  /** Returns the input of the next turn. */
  const turn = async (input: Turn): Promise<Turn | undefined> => {
    const finish = await prune.run(input, context as unknown as JobContext)
    if (finish) await platform.transaction('example', 'ada', finish)
    const next = sql`delete from icosa.jobs where payload ->> 'job' = 'prune' returning payload -> 'input' as input`
    return (await database.maybe<{ input: Turn }>(next))?.input
  }

  await database.transaction(async (db) => {
    await prepare(db, { ...aging, name: 'example.notes' })
    expect(await turn({}), 'another worker prunes the notes').toBeUndefined()
  })
  expect(await left()).toEqual({ notes: 4_500, drafts: 0 })
  const draft = (second: number) =>
    database.run(sql`insert into example.drafts select * from example.notes where created_at = ${at(second)}`)
  await draft(4_500)
  const until = new Date(now + 3_600_000).toISOString()
  expect(await turn({})).toEqual({ table: 0, from: at(1_000).toISOString(), until })
  expect(await left()).toEqual({ notes: 3_500, drafts: 1 })
  const over = { table: 0, from: at(1_001).toISOString(), until: clock.now().toISOString() }
  expect(await turn(over), 'the schedule has fired').toBeUndefined()
  expect(await left()).toEqual({ notes: 2_500, drafts: 1 })

  batchMs = 0
  await turn({ table: 1 })
  expect(await left()).toEqual({ notes: 2_500, drafts: 0 })
  await draft(2_050)
  await database.transaction(async (db) => {
    await db.run(sql`select from example.notes where created_at = ${at(2_450)} for update`)
    expect(await turn({ table: 0, from: at(2_101).toISOString(), until }), 'skips locked rows').toBeUndefined()
  })
  expect(await left(), 'the next schedule deletes earlier notes').toEqual({ notes: 101, drafts: 0 })
  expect(await database.maybe(sql`select from example.notes where id = 'new'`), 'not yet 30 days old').toBeDefined()
})
