import { createTestDatabase, example } from '@icosa/testing'
import { expect, test } from 'vitest'
import { type Database, openDatabase, sql } from '../db/db.ts'
import { job, type Payload, pauseMs, payloadOf } from './jobs.ts'
import { openQueue, type Queue } from './queue.ts'
import { type Conditions, fireDue, markIdle, moveTimersBack, putSchedules, putTimers, type Schedule } from './timers.ts'

const noon = Date.parse('2030-01-01T12:00:00Z')
const after = (ms: number) => new Date(noon + ms)

interface Timers extends AsyncDisposable {
  readonly database: Database
  readonly queue: Queue
  /** Moves the clock to this time after noon. */
  at(ms: number): void
  put(...timers: readonly (readonly [afterNoonMs: number, payload: Partial<Payload>])[]): Promise<number>
  schedule(...schedules: readonly (readonly [name: string, everyMs: number])[]): Promise<void>
  fire(conditions?: Conditions): ReturnType<typeof fireDue>
  /** Inputs of waiting jobs, oldest first. */
  fired(): Promise<unknown[]>
  /** Time after noon of each timer, by input. */
  dueAt(): Promise<Record<string, number>>
  /** Time after noon of each schedule. */
  nextAt(): Promise<Record<string, number>>
}

async function openTimers(): Promise<Timers> {
  const testDatabase = await createTestDatabase([example])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
  await database.run(sql`delete from icosa.schedules`)
  const queue = openQueue({ database, onError: () => {} })
  let now = noon
  const clock = { now: () => new Date(now) }
  const payload = (more: Partial<Payload>): Payload => ({ job: 'ring', tenant: 'ada', input: null, ...more })
  const times = (rows: readonly { readonly name: string; readonly time: Date }[]) =>
    Object.fromEntries(rows.map(({ name, time }) => [name, time.getTime() - noon]))
  return {
    database,
    queue,
    at(ms) {
      now = noon + ms
    },
    put: (...timers) =>
      putTimers(
        database,
        'example',
        timers.map(([ms, more]) => ({ at: after(ms), payload: payload(more) })),
      ),
    schedule: (...schedules) =>
      putSchedules(
        database,
        clock,
        schedules.map(
          ([name, everyMs]): Schedule => ({ name, everyMs, queue: 'example', payload: payload({ input: name }) }),
        ),
      ),
    fire: (conditions) => fireDue(database, queue, clock, conditions),
    async fired() {
      const rows = await database.many<{ input: unknown }>(sql`
        select payload -> 'input' as input from icosa.jobs order by id`)
      return rows.map(({ input }) => input)
    },
    dueAt: async () =>
      times(await database.many(sql`select payload ->> 'input' as name, due_at as time from icosa.timers`)),
    nextAt: async () => times(await database.many(sql`select name, next_at as time from icosa.schedules`)),
    async [Symbol.asyncDispose]() {
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
    },
  }
}

test('only a lane other than the default one is stored', () => {
  const input = { id: 1 }
  expect(payloadOf(job('ring', { run: async () => {} }), 'ada', input)).toEqual({ job: 'ring', tenant: 'ada', input })
  const punctual = job('ring', { lane: 'punctual', run: async () => {} })
  expect(payloadOf(punctual, 'ada', input)).toEqual({ job: 'ring', tenant: 'ada', lane: 'punctual', input })
})

test('a job has three retries, after pauses that double up to an hour', () => {
  expect(job('ring', { run: async () => {} })).toMatchObject({ name: 'ring', retries: 3, lane: 'default' })
  expect([1, 2, 3, 11, 12, 40].map(pauseMs)).toEqual([2_000, 4_000, 8_000, 2_048_000, 3_600_000, 3_600_000])
})

test('timers fire when they are due, oldest first, and say when the next one is', async () => {
  await using timers = await openTimers()
  expect(await timers.fire()).toEqual({ fired: new Set(), untilNextMs: undefined })
  await timers.put([3_000, { input: 'c' }], [1_000, { input: 'a' }], [2_000, { input: 'b' }])
  expect(await timers.fire()).toEqual({ fired: new Set(), untilNextMs: 1_000 })
  timers.at(999)
  expect(await timers.fire()).toEqual({ fired: new Set(), untilNextMs: 1 })
  timers.at(1_000)
  expect(await timers.fire()).toEqual({ fired: new Set(['example']), untilNextMs: 0 })
  expect(await timers.fired()).toEqual(['a'])
  expect(await timers.fire()).toEqual({ fired: new Set(), untilNextMs: 1_000 })
  timers.at(10_000)
  await timers.fire()
  expect(await timers.fire()).toEqual({ fired: new Set(), untilNextMs: undefined })
  expect((await timers.fired()).toSorted()).toEqual(['a', 'b', 'c'])
})

test('of timers with one key the earliest remains, within a call and between calls', async () => {
  await using timers = await openTimers()
  expect(await timers.put([5_000, { key: 'k', input: 1 }], [3_000, { key: 'k', input: 2 }])).toBe(1)
  expect(await timers.dueAt()).toEqual({ 2: 3_000 })
  expect(await timers.put([2_500, { key: 'k', input: 9 }], [8_000, { key: 'k', input: 10 }])).toBe(0)
  expect(await timers.dueAt()).toEqual({ 2: 2_500 })
  expect(await timers.put([4_000, { key: 'k', input: 3 }], [9_000, { key: 'other', input: 4 }])).toBe(1)
  expect(await timers.put([1_000, { key: 'k', input: 5 }])).toBe(0)
  expect(await timers.put([6_000, { key: 'k', tenant: 'bob', input: 6 }])).toBe(1)
  expect(await timers.put([7_000, { key: 'k', failures: 1, input: 7 }], [7_000, { input: 8 }])).toBe(2)
  expect(await timers.dueAt()).toEqual({ 2: 1_000, 4: 9_000, 6: 6_000, 7: 7_000, 8: 7_000 })
})

test('a batch of due timers fires at a time, and the rest immediately after', async () => {
  await using timers = await openTimers()
  await timers.put(...Array.from({ length: 501 }, (_, n) => [501 - n, { input: n }] as const))
  timers.at(501)
  expect(await timers.fire()).toEqual({ fired: new Set(['example']), untilNextMs: 0 })
  expect(await timers.dueAt(), 'the latest is left').toEqual({ 0: 501 })
  await timers.fire()
  expect(await timers.fired()).toHaveLength(501)
})

test('timers and schedules that another node is firing are left to it', async () => {
  await using timers = await openTimers()
  await timers.put([1, { input: 'timer' }])
  await timers.schedule(['minutely', 60_000])
  timers.at(60_000)
  await timers.database.transaction(async (db) => {
    await db.run(sql`select from icosa.timers for update`)
    await db.run(sql`select from icosa.schedules for update`)
    expect(await timers.fire(), 'look again soon').toEqual({ fired: new Set(), untilNextMs: 50 })
  })
  expect(await timers.fired()).toEqual([])
  await timers.fire()
  expect((await timers.fired()).toSorted()).toEqual(['minutely', 'timer'])
})

test('a schedule fires once for all missed times, and stays in step', async () => {
  await using timers = await openTimers()
  await timers.schedule(['minutely', 60_000], ['hourly', 3_600_000])
  expect(await timers.fire()).toEqual({ fired: new Set(), untilNextMs: 60_000 })
  timers.at(60_000)
  expect(await timers.fire()).toMatchObject({ untilNextMs: 0 })
  expect(await timers.fired()).toEqual(['minutely'])
  timers.at(250_000)
  await timers.fire()
  expect(await timers.fired()).toEqual(['minutely', 'minutely'])
  expect(await timers.nextAt()).toEqual({ minutely: 300_000, hourly: 3_600_000 })
  expect(await timers.fire()).toEqual({ fired: new Set(), untilNextMs: 50_000 })
  await timers.put([260_000, { input: 'timer' }])
  expect(await timers.fire(), 'the earlier of timer and schedule').toEqual({ fired: new Set(), untilNextMs: 10_000 })
})

test('a schedule stored again keeps its time, unless its period is shorter', async () => {
  await using timers = await openTimers()
  await timers.schedule(['report', 60_000])
  timers.at(30_000)
  await timers.schedule(['report', 60_000])
  expect(await timers.nextAt()).toEqual({ report: 60_000 })
  await timers.schedule(['report', 10_000])
  expect(await timers.nextAt()).toEqual({ report: 40_000 })
})

test('a schedule without work does not fire, and is looked at again after its period', async () => {
  await using timers = await openTimers()
  await timers.schedule(['cleanup', 60_000], ['report', 90_000])
  const conditions = (hasWork: boolean): Conditions =>
    new Map(['cleanup', 'unknown'].map((name) => [name, () => sql`select 1 where ${hasWork}`]))
  timers.at(60_000)
  expect(await timers.fire(conditions(false))).toEqual({ fired: new Set(), untilNextMs: 30_000 })
  expect(await timers.fired()).toEqual([])
  timers.at(90_000)
  await timers.fire(conditions(false))
  expect(await timers.fired(), 'others are not affected').toEqual(['report'])
  expect(await timers.fire(conditions(false)), 'one period from now').toEqual({ fired: new Set(), untilNextMs: 60_000 })
  await timers.fire(conditions(true))
  expect(await timers.fired()).toEqual(['report', 'cleanup'])
})

test('a schedule without work is marked as alive, one that is not due is not', async () => {
  await using timers = await openTimers()
  await timers.schedule(['due', 60_000], ['later', 60_001])
  timers.at(60_000)
  await markIdle(timers.database, { now: () => after(60_000) })
  expect(await timers.database.many(sql`select name from icosa.schedules where last_at is not null`)).toEqual([
    { name: 'due' },
  ])
})

test('a schedule whose next time a wrong clock has set too far ahead is due', async () => {
  await using timers = await openTimers()
  await timers.schedule(['minutely', 60_000])
  const inMs = (ms: number) => timers.database.run(sql`update icosa.schedules set next_at = ${after(ms)}`)
  await inMs(70_000)
  expect((await timers.fire()).untilNextMs, 'clocks may differ by ten seconds').toBe(70_000)
  await inMs(70_001)
  await timers.fire()
  expect(await timers.fired()).toEqual(['minutely'])
  expect((await timers.nextAt()).minutely).toBeLessThanOrEqual(60_000)
})

test('delays are kept when the clock is moved back, and no schedule waits longer than its period', async () => {
  await using timers = await openTimers()
  await timers.put([5_000, { input: 'timer' }])
  await timers.schedule(['minutely', 60_000], ['hourly', 3_600_000])
  const backMs = 600_000
  await moveTimersBack(timers.database, backMs, after(-backMs))
  expect(await timers.dueAt()).toEqual({ timer: 5_000 - backMs })
  expect(await timers.nextAt()).toEqual({ minutely: 60_000 - backMs, hourly: 3_600_000 - backMs })
  await timers.database.run(sql`update icosa.schedules set next_at = ${after(backMs)}`)
  await moveTimersBack(timers.database, 1_000, after(0))
  expect(await timers.nextAt()).toEqual({ minutely: 60_000, hourly: backMs - 1_000 })
})
