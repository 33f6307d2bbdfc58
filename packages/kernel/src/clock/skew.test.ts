import { setTimeout as sleep } from 'node:timers/promises'
import { example, recordEndedJobs, startTestApp, type TestAppOptions } from '@icosa/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { sql } from '../db/db.ts'

const dayMs = 86_400_000
const options: TestAppOptions = { services: [example], clock: 'system', worker: { concurrency: 1, background: true } }

afterEach(() => void vi.useRealTimers())

test('a node with a wrong clock takes no jobs and is not ready until the clock is corrected', async () => {
  await using app = await startTestApp(options)
  const { database, queue } = app.platform
  const ready = async () => (await fetch(`${app.url}/readyz`)).status
  const endedJobs = await recordEndedJobs(database)
  const completed = async () => (await endedJobs()).length
  const send = async (count: number) => {
    const jobs = Array.from({ length: count }, () => ({ job: 'prune', tenant: 'icosa', input: {} }))
    await database.transaction((db) => queue.send(db, 'example', jobs))
    queue.wake(['example'])
  }
  await send(1)
  await expect.poll(completed, { timeout: 10_000 }).toBe(1)
  expect(await ready()).toBe(200)

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + dayMs })
  expect(await ready()).toBe(503)
  await send(3)
  await sleep(300) // a job that is not claimed leaves no trace to wait for
  expect(await completed()).toBeLessThanOrEqual(2) // one claim may have been in flight

  vi.useRealTimers()
  expect(await ready()).toBe(200)
  queue.wake(['example'])
  await expect.poll(completed, { timeout: 10_000 }).toBe(4)
})

test('a schedule that a wrong clock postponed runs as soon as a node with the correct time polls', async () => {
  await using app = await startTestApp(options)
  const { database, clock, queue } = app.platform
  await database.run(sql`
    insert into icosa.schedules (name, queue, payload, every_ms, next_at)
    values ('example:test', 'example', '{ "job": "prune", "tenant": "icosa", "input": {} }', 3600000,
      ${new Date(clock.now().getTime() + dayMs)})`)
  queue.wake(['@timers'])
  const hasRun = sql`
    select from icosa.schedules
    where name = 'example:test' and last_at is not null and next_at <= clock_timestamp() + interval '1 hour'`
  await expect.poll(() => database.maybe(hasRun), { timeout: 10_000 }).toBeDefined()
})
