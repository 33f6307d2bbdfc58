import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { at, callersOf, everyMinute, minuteMs, nightly, request, start } from '../testing/app.ts'
import { startReceiver } from '../testing/receiver.ts'

const dayMs = 86_400_000

test('a history is paged, latest first, and keeps the last thousand attempts for sixty days', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  await app.clock.move({ to: new Date('2030-01-01T00:00:00Z'), frozen: true })
  const properties = { action: request(receiver.url), recurrence: { ...everyMinute, count: 1_100 } }
  await jobs.createOrUpdate({ params: at('beat'), body: { properties } })
  await app.clock.advance(1_200 * minuteMs)
  await app.jobs.drain()
  expect(receiver.received).toHaveLength(1_100)
  const count = () => app.platform.database.one(sql`select count(*)::int as n from job_scheduler.history`)
  expect(await count()).toEqual({ n: 1_000 })

  const numbers: number[] = []
  let $skipToken: string | undefined
  do {
    const { body } = await jobs.listJobHistory({
      params: at('beat'),
      query: { $top: 90, ...($skipToken && { $skipToken }) },
    })
    numbers.push(...body.value.map(({ name }) => Number(name?.split('-').at(-1))))
    $skipToken = body.nextLink && (new URL(body.nextLink).searchParams.get('$skipToken') ?? '')
  } while ($skipToken)
  expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, index) => 1_100 - index))
  const { body: skipped } = await jobs.listJobHistory({ params: at('beat'), query: { $top: 1, $skip: 999 } })
  expect(skipped.value.map(({ name }) => name?.split('-').at(-1))).toEqual(['101'])

  await app.clock.advance(61 * dayMs)
  await app.jobs.drain()
  expect(await count()).toEqual({ n: 0 })
  expect((await jobs.listJobHistory({ params: at('beat') })).body.value).toEqual([])
})

test('a history is in the order of execution, even if the clock was moved back and forth', async () => {
  await using app = await start()
  await using receiver = await startReceiver()
  const { collections, jobs } = await callersOf(app)
  await collections.createOrUpdate({ params: nightly, body: {} })
  const minute = (number: number) => new Date(Date.parse('2030-01-01T00:00:00Z') + number * minuteMs)
  const moveTo = async (number: number) => {
    await app.clock.move({ to: minute(number), frozen: true })
    await app.jobs.drain()
  }
  await moveTo(0)
  const properties = { action: request(receiver.url), recurrence: everyMinute }
  await jobs.createOrUpdate({ params: at('beat'), body: { properties } })
  await app.jobs.drain()
  for (const number of [1, 2, 3]) await moveTo(number)
  const lastRun = async () =>
    (Date.parse((await jobs.get({ params: at('beat') })).body.properties?.status?.lastExecutionTime ?? '') -
      minute(0).getTime()) /
    minuteMs
  for (const number of [0.5, 1.5]) await moveTo(number)
  expect(await lastRun(), 'not in the future').toBeLessThanOrEqual(1.5)
  for (const number of [2.5, 3.5, 4.5]) await moveTo(number)
  expect(await lastRun()).toBe(4.5)

  const { body } = await jobs.listJobHistory({ params: at('beat') })
  const started = body.value.map((entry) => Date.parse(entry.properties?.startTime ?? '')).reverse()
  const minutes = started.map((ms) => (ms - minute(0).getTime()) / minuteMs)
  expect(minutes.slice(0, 4)).toEqual([0, 1, 2, 3])
  const repeated = minutes.slice(4) // from the first or second occurrence on: it continues within a minute
  expect([1.5, 2.5, 3.5, 4.5].slice(-repeated.length)).toEqual(repeated)
  expect(repeated.length).toBeGreaterThanOrEqual(3)
})
