import { setTimeout as sleep } from 'node:timers/promises'
import { example, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { Service } from '../service.ts'
import { type Job, job } from './jobs.ts'
import { jobsIn } from './queue.ts'

const services = 20
const note = job<null>('note', { run: async () => {} })
const idleService = (number: number): Service => ({
  name: `idle-${number}`,
  title: 'Idle',
  apis: [{ dialect: example.apis[0].dialect, resources: {} }],
  jobs: [note as Job<never>],
})

/** Each statement outside of a transaction is one to PostgreSQL's statistics. */
const committed = async ({ platform: { database } }: TestApp) =>
  (
    await database.one<{ count: number }>(sql`
      select xact_commit::int as count from pg_stat_database where datname = current_database()`)
  ).count

test(`${services} idle services cost a worker at most 10 statements a second`, async () => {
  const all = Array.from({ length: services }, (_, number) => idleService(number))
  await using app = await startTestApp({ services: all, worker: { concurrency: 4, background: true } })
  const { database, queue } = app.platform
  // One job, so that the thread is there that keeps claims.
  await database.transaction((db) => jobsIn(queue, db, 'idle-0', 'ada').enqueue(note, null))
  queue.wake(['idle-0'])
  const completed = sql`select 1 from jobs.job where state = 'completed'`
  await expect.poll(() => database.many(completed), { timeout: 30_000, interval: 500 }).toHaveLength(1)
  await sleep(3_000) // the start is over, and written into the statistics
  const before = await committed(app)
  const began = performance.now()
  await sleep(10_000)
  const rate = ((await committed(app)) - before) / ((performance.now() - began) / 1000)
  console.log(`${services} idle services: ${rate.toFixed(1)} statements a second`)
  expect(rate).toBeLessThan(10)
})
