import { example, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { Service } from '../service.ts'
import { type Job, job } from './jobs.ts'
import { markIdle } from './timers.ts'

const work = sql`select from icosa.tenants where id = 'work'`
const giveWork = ({ platform: { database } }: TestApp) =>
  database.run(sql`insert into icosa.tenants values ('work', clock_timestamp())`)
const isDone = async ({ platform: { database } }: TestApp) => (await database.maybe(work)) === undefined

const finish: Job<object> = job<object>('finish', {
  run: async () => (db) => db.run(sql`delete from icosa.tenants where id = 'work'`),
})
const service: Service = {
  ...example,
  jobs: [finish as Job<never>],
  schedules: [{ job: finish as Job<never>, everyMs: 100, hasWork: () => work }],
}

const startWorker = (databaseUrl?: string) =>
  startTestApp({
    services: [service],
    worker: { concurrency: 4, background: true },
    ...(databaseUrl !== undefined && { databaseUrl }),
  })

const holderOf = async ({ platform: { database } }: TestApp) =>
  (await database.maybe<{ holder: string }>(sql`select holder from icosa.leases`))?.holder

test('a schedule creates a job only if there is work, and does not count as stalled', async () => {
  await using app = await startWorker()
  const { database, clock } = app.platform
  const isMarked = sql`select from icosa.schedules where name = 'example:finish' and last_at is not null`
  const marked = async () => {
    await markIdle(database, clock)
    return database.maybe(isMarked)
  }
  await expect.poll(marked, { timeout: 10_000 }).toBeDefined() // due from now on
  expect(await database.many(sql`select from icosa.jobs where payload ->> 'job' = 'finish'`)).toEqual([])
  for (const _ of [1, 2]) {
    await giveWork(app)
    await expect.poll(() => isDone(app), { timeout: 10_000 }).toBe(true)
  }
})

test('one worker is leader, and another takes over when it stops', async () => {
  await using api = await startTestApp(service)
  const first = await startWorker(api.databaseUrl)
  await expect.poll(() => holderOf(api), { timeout: 10_000 }).toBeDefined()
  const leader = await holderOf(api)
  await using standby = await startWorker(api.databaseUrl)
  await giveWork(standby)
  await expect.poll(() => isDone(api), { timeout: 10_000 }).toBe(true)
  expect(await holderOf(api)).toBe(leader)

  await first[Symbol.asyncDispose]()
  await giveWork(api)
  await expect.poll(() => isDone(api), { timeout: 10_000 }).toBe(true)
  expect(await holderOf(api)).not.toBe(leader)
})
