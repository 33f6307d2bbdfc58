import { DatabaseUnavailable, type Media, type ReadingDb } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRobotics } from '../testing/app.ts'
import { type Cacheable, openResponseCache } from './response-cache.ts'

let app: Awaited<ReturnType<typeof startRobotics>>

beforeAll(async () => {
  app = await startRobotics()
  await app.scout.synthetic({ events: 1, played: 3 })
  await app.clock.advance(2_000)
})
afterAll(() => app[Symbol.asyncDispose]())

const question = { season: 2026, scope: 'SY001', list: 'matches', part: 'Qualification' } as const
const { tenant } = { tenant: 'scouts' }

test('a cached answer is queried once, and once more after a change', async () => {
  const { database, clock } = app.platform
  const responses = openResponseCache((of) => database.of(of).reading, clock)
  const bytesOf = async () => {
    const { body } = await responses.answer(tenant, question, {})
    return (body as unknown as Media).content
  }
  const first = await bytesOf()
  for (let nth = 0; nth < 2_000; nth++) expect(await bytesOf()).toBe(first)
  expect(responses.queries().content).toBe(1)
  await app.scout.synthetic({ events: 1, played: 4 })
  await expect.poll(bytesOf).not.toEqual(first)
  expect(responses.queries().content).toBe(2)
})

test('a response is served from the cache by its target, for its own tenant, until it changes', async () => {
  const { database, clock } = app.platform
  const responses = openResponseCache((of) => database.of(of).reading, clock)
  await app.clock.advance(2_000)
  const target = '/robotics-statistics/v3.0/2026/matches/SY001?tournamentLevel=qual'
  expect(responses.fromCache(tenant, target, {})).toBeUndefined()
  const reply = await responses.answer(tenant, question, {})
  const { cacheAs } = reply as Cacheable
  cacheAs?.(target)
  await responses.versions(tenant)
  expect(responses.fromCache(tenant, target, {})).toBe(reply)
  expect(responses.fromCache('other', target, {})).toBeUndefined()
  const since = reply.headers?.['last-modified'] as string
  expect(responses.fromCache(tenant, target, { 'if-modified-since': since })).toMatchObject({ status: 304 })
  const both = { 'if-modified-since': since, 'fms-onlymodifiedsince': since }
  expect(responses.fromCache(tenant, target, both), 'which is refused').toBeUndefined()
  await app.scout.synthetic({ events: 1, played: 5 })
  await expect
    .poll(async () => {
      await responses.versions(tenant)
      return responses.fromCache(tenant, target, {})
    })
    .not.toBe(reply)
})

test('a cached response during a database outage causes no unhandled rejection', async () => {
  const { database, clock } = app.platform
  let isAway = false
  const away = { many: () => Promise.reject(new DatabaseUnavailable('away')) } as unknown as ReadingDb
  const responses = openResponseCache((of) => (isAway ? away : database.of(of).reading), clock)
  const target = '/robotics-statistics/v3.0/2026/matches/SY001'
  const reply = await responses.answer(tenant, question, {})
  ;(reply as Cacheable).cacheAs?.(target)
  isAway = true
  const rejected: unknown[] = []
  const onRejection = (reason: unknown) => rejected.push(reason)
  process.on('unhandledRejection', onRejection)
  const outcome = async () => {
    responses.fromCache(tenant, target, {})
    return Promise.resolve(responses.versions(tenant)).then(
      () => 'cached',
      ({ message }) => message,
    )
  }
  await expect.poll(outcome).toBe('away')
  process.off('unhandledRejection', onRejection)
  expect(rejected).toEqual([])
})
