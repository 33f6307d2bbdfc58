import { example, startTestApp, type TestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { sql } from '../db/db.ts'
import type { Service } from '../service.ts'
import { type Job, job } from './jobs.ts'
import { begin, cancelledAmong, end, type OperationsOf, operationsIn, report } from './operations.ts'
import { jobsIn } from './queue.ts'
import { asHandler } from './testing/as-handler.ts'

const withJobs = (...jobs: Job<never>[]): Service => ({ ...example, jobs })

const operate = <T>(app: TestApp, work: (operations: OperationsOf) => Promise<T>) =>
  asHandler(app, (jobs, db) => work(operationsIn(db, app.platform.clock, () => jobs, 'example', 'ada')))

test('a job that has lost its claim writes nothing more, neither in a transaction nor at its end', async () => {
  const started = Promise.withResolvers<void>()
  const claimedAgain = Promise.withResolvers<void>()
  const failures: unknown[] = []
  const insert = (id: string) => sql`insert into icosa.tenants values (${id}, now())`
  const slow = job<null>('slow', {
    async run(_, { transaction }) {
      started.resolve()
      await claimedAgain.promise
      failures.push(await transaction((db) => db.run(insert('amid'))).catch((error: Error) => error))
      return async (db) => {
        failures.push('at its end')
        await db.run(insert('end'))
      }
    },
  })
  await using app = await startTestApp(withJobs(slow))
  const { database } = app.platform
  await asHandler(app, (jobs) => jobs.enqueue(slow, null))
  const draining = app.jobs.drain()
  await started.promise
  await database.run(sql`update icosa.jobs set attempt = attempt + 1`)
  claimedAgain.resolve()
  await expect.poll(() => failures).toEqual([expect.any(Error), 'at its end'])
  await database.run(sql`delete from icosa.jobs`)
  await draining
  expect(await database.many(sql`select id from icosa.tenants where id in ('amid', 'end')`)).toEqual([])
})

test('a job is removed if its operation has ended, and fails it if the service has no such job', async () => {
  const ran: string[] = []
  const note = job<string>('note', { run: async (text) => void ran.push(text) })
  await using app = await startTestApp(withJobs(note))
  const { database } = app.platform
  const cancelled = await operate(app, (operations) => operations.start(note, 'never'))
  await operate(app, (operations) => operations.cancel(cancelled.id))
  const unknown = await operate(app, (operations) => operations.start(job<string>('none', { run: note.run }), 'never'))
  await app.jobs.drain()
  expect(await database.many(sql`select payload from icosa.jobs`)).toEqual([])
  expect(await operate(app, (operations) => operations.find(cancelled.id))).toMatchObject({ status: 'cancelled' })
  expect(await operate(app, (operations) => operations.find(unknown.id))).toMatchObject({
    status: 'failed',
    error: { kind: 'internal', message: "The service has no job 'none'." },
  })
  expect(ran).toEqual([])
})

test('a change of an operation affects it alone, and nothing after its end', async () => {
  await using app = await startTestApp(withJobs())
  const { database, clock } = app.platform
  const all = ['ada one', 'ada other', 'bob one'].map((name) => name.split(' ') as [string, string])
  for (const [tenant, id] of all)
    await database.run(sql`
      insert into icosa.operations (tenant, id, service, kind, status, created_at, updated_at)
      values (${tenant}, ${id}, 'example', 'note', 'pending', ${clock.now()}, ${clock.now()})`)
  const states = async () => {
    const rows = await database.many<{ state: string }>(sql`
      select concat_ws(' ', tenant, id, status, progress) as state from icosa.operations order by tenant, id`)
    return rows.map(({ state }) => state)
  }
  const [one, other] = [
    { tenant: 'ada', id: 'one' },
    { tenant: 'ada', id: 'other' },
  ]
  await report(database, clock, one, 0.5)
  expect(await states(), 'not before it has begun').toEqual(['ada one pending', 'ada other pending', 'bob one pending'])
  expect(await begin(database, clock, one)).toBe(true)
  await report(database, clock, one, 0.5)
  expect(await states()).toEqual(['ada one running 0.5', 'ada other pending', 'bob one pending'])
  expect(await begin(database, clock, one), 'by another attempt').toBe(true)
  expect(await end(database, clock, one, { status: 'succeeded' })).toBe(true)
  expect(await end(database, clock, other, { status: 'cancelled' })).toBe(true)
  expect(await states()).toEqual(['ada one succeeded 1', 'ada other cancelled', 'bob one pending'])
  await report(database, clock, one, 0.5)
  expect(await begin(database, clock, one)).toBe(false)
  expect(await end(database, clock, one, { status: 'failed' })).toBe(false)
  expect(await states()).toEqual(['ada one succeeded 1', 'ada other cancelled', 'bob one pending'])
  const cancelled = (tenant: string) =>
    cancelledAmong(database, [
      { tenant, id: 'one' },
      { tenant, id: 'other' },
    ])
  expect([await cancelled('ada'), await cancelled('bob')]).toEqual([new Set(['other']), new Set()])
  const finder = (service: string, tenant: string) =>
    operationsIn(database, clock, () => jobsIn(app.platform.queue, database, service, tenant), service, tenant)
  expect(await finder('example', 'ada').find('one')).toMatchObject({ status: 'succeeded' })
  expect(await finder('other', 'ada').find('one')).toBeUndefined()
  expect(await finder('example', 'bob').find('other')).toBeUndefined()
})
