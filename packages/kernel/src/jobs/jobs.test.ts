import { example, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import { Failure } from '../errors.ts'
import type { Service } from '../service.ts'
import { type Job, job } from './jobs.ts'
import { operationsIn } from './operations.ts'
import { jobsIn } from './queue.ts'
import { fireDue, putSchedules } from './timers.ts'

const withJobs = (...jobs: Job<never>[]): Service => ({ ...example, jobs })

/** Runs `work` as the handler of a writing operation does. */
function asHandler<T>(app: TestApp, work: (ports: ReturnType<typeof portsOf>) => Promise<T>): Promise<T> {
  return app.platform.database.transaction((db) => work(portsOf(app, db)))
}

function portsOf({ platform: { queue, clock } }: TestApp, db: Parameters<typeof jobsIn>[1]) {
  const jobs = jobsIn(queue, db, 'example', 'ada')
  return { db, jobs, operations: operationsIn(db, clock, () => jobs, 'example', 'ada') }
}

const find = (app: TestApp, id: string) => asHandler(app, ({ operations }) => operations.find(id))

test('a job commits together with the rows of its handler', async () => {
  const ran: string[] = []
  const note = job<string>('note', { run: async (text) => void ran.push(text) })
  await using app = await startTestApp(withJobs(note))
  const insert = sql`insert into icosa.tenants values ('row', now())`

  const failing = asHandler(app, async ({ db, jobs, operations }) => {
    await db.run(insert)
    await jobs.enqueue(note, 'never')
    await jobs.enqueue(note, 'never later', { at: app.platform.clock.now() })
    await operations.start(note, 'never as an operation')
    throw new Error('after the enqueue')
  })
  await expect(failing).rejects.toThrow('after the enqueue')
  await app.jobs.drain()
  expect(ran).toEqual([])
  expect(await app.platform.database.many(sql`select * from icosa.operations`)).toEqual([])

  await asHandler(app, async ({ db, jobs }) => {
    await db.run(insert)
    await jobs.enqueue(note, 'committed')
  })
  await app.jobs.drain()
  expect(ran).toEqual(['committed'])
  expect(await app.platform.database.many(sql`select id from icosa.tenants where id = 'row'`)).toHaveLength(1)
})

test('an operation is pending, running and succeeded, with progress and a result', async () => {
  const seen: unknown[] = []
  const work = job<{ n: number }>('work', {
    async run({ n }, { db, progress }) {
      await progress(0.25)
      seen.push(await db.one(sql`select status, progress from icosa.operations`))
      return async () => ({ twice: n * 2 })
    },
  })
  await using app = await startTestApp(withJobs(work))
  const { id } = await asHandler(app, ({ operations }) => operations.start(work, { n: 21 }, { resource: '/things/1' }))
  expect(await find(app, id)).toMatchObject({ status: 'pending', resource: '/things/1', progress: null })
  await app.jobs.drain()
  expect(seen).toEqual([{ status: 'running', progress: 0.25 }])
  expect(await find(app, id)).toMatchObject({ status: 'succeeded', result: { twice: 42 }, progress: 1 })
})

test('an error is retried with growing delays; a permanent failure is not', async () => {
  const attempts: string[] = []
  const flaky = job<string>('flaky', {
    retries: 2,
    async run(how) {
      attempts.push(how)
      throw how === 'refused' ? new Failure('conflict', 'It is taken.', { code: 'Taken' }) : new Error('private detail')
    },
  })
  await using app = await startTestApp(withJobs(flaky))
  const refused = await asHandler(app, ({ operations }) => operations.start(flaky, 'refused'))
  const broken = await asHandler(app, ({ operations }) => operations.start(flaky, 'broken'))
  await app.jobs.drain()
  expect(attempts.sort()).toEqual(['broken', 'refused'])
  expect(await find(app, refused.id)).toMatchObject({
    status: 'failed',
    error: { kind: 'conflict', message: 'It is taken.', code: 'Taken' },
  })
  expect(await find(app, broken.id)).toMatchObject({ status: 'running' })

  await app.clock.advance(1_500)
  await app.jobs.drain()
  expect(attempts).toHaveLength(3)
  await app.clock.advance(1_500)
  await app.jobs.drain()
  expect(attempts, 'the second delay is longer').toHaveLength(3)
  await app.clock.advance(1_500)
  await app.jobs.drain()
  expect(attempts).toHaveLength(4)
  expect(await find(app, broken.id)).toMatchObject({
    status: 'failed',
    error: { kind: 'internal', message: 'Something went wrong on our side.' },
  })
})

test('a job is postponed during an outage, without counting attempts', async () => {
  let outages = 15 // more than the crash limit
  const upload = job<null>('upload', {
    async run() {
      if (outages-- > 0) throw Object.assign(new Error('write'), { code: 'ENOSPC' })
    },
  })
  await using app = await startTestApp(withJobs(upload))
  const { id } = await asHandler(app, ({ operations }) => operations.start(upload, null))
  for (let minute = 0; minute < 15; minute++) {
    await app.jobs.drain()
    expect(await find(app, id)).toMatchObject({ status: 'running' })
    await app.clock.advance(60_000)
  }
  await app.jobs.drain()
  expect(await find(app, id)).toMatchObject({ status: 'succeeded' })
})

test('a cancelled operation stays cancelled, and its last writes do not happen', async () => {
  let cancel: () => Promise<boolean> = async () => false
  const slow = job<null>('slow', {
    async run() {
      expect(await cancel()).toBe(true)
      return (db) => db.run(sql`insert into icosa.tenants values ('too late', now())`)
    },
  })
  await using app = await startTestApp(withJobs(slow))
  const { id } = await asHandler(app, ({ operations }) => operations.start(slow, null))
  cancel = () => asHandler(app, ({ operations }) => operations.cancel(id))
  await app.jobs.drain()
  expect(await find(app, id)).toMatchObject({ status: 'cancelled' })
  expect(await app.platform.database.many(sql`select 1 from icosa.tenants where id = 'too late'`)).toEqual([])
  expect(await cancel(), 'a second time').toBe(false)
  const leave = sql`update icosa.operations set status = 'running' where id = ${id}`
  await expect(app.platform.database.run(leave)).rejects.toThrow('is cancelled already')
})

test('the blobs of a job belong to its tenant, or the one it names', async () => {
  const write = job<null>('write', {
    async run(_, { blobs, tenant }) {
      await blobs.put('own', Buffer.from(tenant))
      await blobs.of('bob').put('other', Buffer.from('bob'))
    },
  })
  await using app = await startTestApp(withJobs(write))
  await asHandler(app, ({ jobs }) => jobs.enqueue(write, null))
  await app.jobs.drain()
  const { items } = await app.platform.blobs.list('example/', { limit: 10 })
  expect(items.map(({ key }) => key).sort()).toEqual(['example/ada/own', 'example/bob/other'])
})

test('a job whose workers die repeatedly fails its operation with a message', async () => {
  const failed: string[] = []
  const doomed = job<string>('doomed', { run: async () => {}, failed: async (input) => void failed.push(input) })
  await using app = await startTestApp(withJobs(doomed))
  const { id } = await asHandler(app, ({ operations }) => operations.start(doomed, 'input'))
  await app.platform.database.run(sql`update icosa.jobs set attempt = 10`)
  await app.jobs.drain()
  expect(await find(app, id)).toMatchObject({
    status: 'failed',
    error: { kind: 'internal', message: /died repeatedly/ },
  })
  expect(failed).toEqual(['input'])
})

test('timers and schedules follow the clock, and fire once though several nodes poll', async () => {
  const ran: string[] = []
  const ring = job<string>('ring', { run: async (text) => void ran.push(text) })
  await using app = await startTestApp(withJobs(ring))
  const { database, queue, clock } = app.platform
  const inOneHour = new Date(clock.now().getTime() + 3_600_000)
  await asHandler(app, ({ jobs }) => jobs.enqueue(ring, 'timer', { at: inOneHour }))
  const payload = { job: 'ring', tenant: 'ada', input: 'schedule' }
  await putSchedules(database, clock, [{ name: 'every half hour', everyMs: 1_800_000, queue: 'example', payload }])
  await app.jobs.drain()
  expect(ran).toEqual([])

  await app.clock.advance(1_800_000)
  await Promise.all([fireDue(database, queue, clock), fireDue(database, queue, clock), fireDue(database, queue, clock)])
  await app.jobs.drain()
  expect(ran).toEqual(['schedule'])
  await app.clock.advance(1_800_000)
  await app.jobs.drain()
  expect(ran.sort()).toEqual(['schedule', 'schedule', 'timer'])
  await app.clock.advance(10 * 1_800_000)
  await app.jobs.drain()
  expect(ran, 'missed times are made up for by one run').toHaveLength(4)
})

test('a timer due in an hour is still due in an hour after the clock is moved back', async () => {
  const ran: string[] = []
  const ring = job<string>('ring', { run: async (text) => void ran.push(text) })
  await using app = await startTestApp(withJobs(ring))
  const { database, clock } = app.platform
  const payload = { job: 'ring', tenant: 'ada', input: 'schedule' }
  await putSchedules(database, clock, [{ name: 'every half hour', everyMs: 1_800_000, queue: 'example', payload }])
  const yearMs = 365 * 86_400_000
  await app.clock.advance(yearMs)
  await app.jobs.drain()
  expect(ran.splice(0)).toEqual(['schedule'])
  const inOneHour = new Date(clock.now().getTime() + 3_600_000)
  await asHandler(app, ({ jobs }) => jobs.enqueue(ring, 'timer', { at: inOneHour }))

  await app.clock.move({ reset: true })
  await app.jobs.drain()
  expect(ran, 'nothing fires early').toEqual([])
  await app.clock.advance(1_801_000)
  await app.jobs.drain()
  expect(ran).toEqual(['schedule'])
  await app.clock.advance(1_801_000)
  await app.jobs.drain()
  expect(ran.sort()).toEqual(['schedule', 'schedule', 'timer'])
})

test('the clock stops when frozen, and returns to real time', async () => {
  await using app = await startTestApp(example)
  const { clock } = app.platform
  const millennium = new Date('2000-01-01T00:00:00Z')
  await app.clock.move({ to: millennium, frozen: true })
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(clock.now()).toEqual(millennium)
  await app.clock.advance(1_000)
  expect(clock.now()).toEqual(new Date('2000-01-01T00:00:01Z'))
  for (const move of [{ to: new Date(Number.NaN) }, { byMs: 9e14 }, { byMs: -9e14 }])
    await expect(app.clock.move(move)).rejects.toMatchObject({ kind: 'invalid' })
  await app.clock.move({ reset: true })
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000)
})
