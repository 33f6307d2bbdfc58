import { example, startProxy, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test, vi } from 'vitest'
import { type Db, sql } from '../db/db.ts'
import type { Service } from '../service.ts'
import { type Job, job } from './jobs.ts'
import { operationsIn } from './operations.ts'
import type { BoundJobs } from './queue.ts'
import { asHandler } from './testing/as-handler.ts'

const poll = { timeout: 30_000, interval: 10 }
const worker = { concurrency: 4, background: true }
/** Polls so rarely that it must have been notified. */
const seldom = { everyMs: 3_600_000 }

/** A job that runs until its signal aborts or it is ended, and then tries to write. */
function lasting() {
  const state = { running: 0, abortedAt: 0, end: () => {} }
  const last = job<null>('last', {
    async run(_, { signal }) {
      state.running++
      await new Promise<void>((resolve) => {
        state.end = resolve
        signal.addEventListener('abort', () => {
          state.abortedAt = performance.now()
          resolve()
        })
      })
      return (db) => db.run(sql`insert into icosa.tenants values (gen_random_uuid()::text, now())`)
    },
  })
  return { state, service: { ...example, jobs: [last as Job<never>] } satisfies Service, last }
}

const written = async ({ platform }: TestApp) =>
  (await platform.database.one<{ rows: number }>(sql`select count(*)::int as rows from icosa.tenants`)).rows

/** One second on an idle machine: `WITHIN_MS=1000`. */
const withinMs = Number(process.env.WITHIN_MS ?? 20_000)

/** Runs the job on one node and `cancel` on another. Returns the time from the commit to the signal. */
async function cancelledAfterMs(
  start: (app: TestApp, last: Job<null>) => Promise<unknown>,
  cancel: (app: TestApp, last: Job<null>) => Promise<unknown>,
): Promise<number> {
  const { state, service, last } = lasting()
  await using app = await startTestApp({
    services: [service],
    worker: { ...worker, heartbeat: seldom, leaseMs: 3_600_000 },
  })
  await using other = await startTestApp({ services: [example], databaseUrl: app.databaseUrl })
  await start(other, last)
  await expect.poll(() => state.running, poll).toBe(1)
  await cancel(other, last)
  const committedAt = performance.now()
  await expect.poll(() => state.abortedAt, poll).toBeGreaterThan(0)
  await expect.poll(() => app.platform.database.many(sql`select 1 from icosa.jobs where is_running`), poll).toEqual([])
  expect(await written(app), 'its final writes').toBe(0)
  return state.abortedAt - committedAt
}

test('a job cancelled on another node is aborted at once, and writes nothing more', async () => {
  const ms = await cancelledAfterMs(
    (app, last) => asHandler(app, (jobs) => jobs.enqueue(last, null, { key: 'a' })),
    (app, last) => asHandler(app, (jobs) => jobs.cancel(last, 'a')),
  )
  console.log(`a cancelled job was aborted after ${ms.toFixed(0)} ms`)
  expect(ms).toBeLessThan(withinMs)
})

test('the job of an operation cancelled on another node is aborted at once', async () => {
  let id = ''
  const operations = (app: TestApp, jobs: BoundJobs, db: Db) =>
    operationsIn(db, app.platform.clock, () => jobs, 'example', 'ada')
  const ms = await cancelledAfterMs(
    (app, last) =>
      asHandler(app, async (jobs, db) => {
        id = (await operations(app, jobs, db).start(last, null)).id
        jobs.touched.add('example')
      }),
    (app) => asHandler(app, (jobs, db) => operations(app, jobs, db).cancel(id)),
  )
  console.log(`the job of a cancelled operation was aborted after ${ms.toFixed(0)} ms`)
  expect(ms).toBeLessThan(withinMs)
})

test('a job whose claim another worker has expired is aborted at once', async () => {
  const ms = await cancelledAfterMs(
    (app, last) => asHandler(app, (jobs) => jobs.enqueue(last, null)),
    async ({ platform: { database, queue } }) => {
      await database.run(sql`update icosa.jobs set renewed_at = renewed_at - interval '2 hours', queue = 'unserved'`)
      queue.wake(await queue.sweep())
    },
  )
  console.log(`a lost job was aborted after ${ms.toFixed(0)} ms`)
  expect(ms).toBeLessThan(withinMs)
})

/** A worker with one running job, whose database can be taken away. */
async function behindProxy() {
  const stack = new AsyncDisposableStack()
  const { state, service, last } = lasting()
  const direct = stack.use(await startTestApp({ services: [service] }))
  const proxy = stack.use(await startProxy(direct.databaseUrl))
  const options = { services: [service], databaseUrl: proxy.url, worker: { ...worker, heartbeat: { everyMs: 200 } } }
  stack.use(await startTestApp(options))
  await asHandler(direct, (jobs) => jobs.enqueue(last, null))
  await expect.poll(() => state.running, poll).toBe(1)
  return { state, direct, proxy, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('claims survive a database outage', async () => {
  await using node = await behindProxy()
  const { state, direct, proxy } = node
  const renewedAt = async () =>
    (
      await direct.platform.database.one<{ at: number }>(sql`
      select extract(epoch from renewed_at)::float8 as at from icosa.jobs`)
    ).at
  for (const mode of ['refusing', 'silent'] as const) {
    proxy.become(mode)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const before = await renewedAt()
    proxy.become('through')
    await vi.waitFor(async () => expect(await renewedAt()).toBeGreaterThan(before), { timeout: 30_000, interval: 100 })
  }
  state.end() // some connections are dead, and not yet found so
  await expect.poll(() => written(direct), { ...poll, timeout: 60_000 }).toBe(1)
  expect(state.running, 'started once').toBe(1)
})

test('the last writes of a job wait for the end of a database outage', async () => {
  await using node = await behindProxy()
  const { state, direct, proxy } = node
  proxy.become('refusing')
  const before = proxy.attempts.length
  state.end()
  await expect.poll(() => proxy.attempts.length, poll).toBeGreaterThan(before + 1)
  proxy.become('through')
  await expect.poll(() => written(direct), { ...poll, timeout: 60_000 }).toBe(1)
  expect(state.running, 'started once').toBe(1)
  const jobs = () => direct.platform.database.many(sql`select 1 from icosa.jobs union all select 1 from icosa.timers`)
  await expect.poll(jobs, poll).toEqual([])
})
