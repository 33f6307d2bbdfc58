import { DatabaseUnavailable, type Media, type ReadingDb } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRobotics } from '../testing/app.ts'
import { type Memorable, openDesk } from './desk.ts'

let app: Awaited<ReturnType<typeof startRobotics>>

beforeAll(async () => {
  app = await startRobotics()
  await app.scout.synthetic({ events: 1, played: 3 })
  await app.clock.advance(2_000)
})
afterAll(() => app[Symbol.asyncDispose]())

const question = { season: 2026, scope: 'SY001', list: 'matches', part: 'Qualification' } as const
const { tenant } = { tenant: 'scouts' }

test('a hot answer is asked of the database once, however often it is asked for; so is what follows a change', async () => {
  const { database, clock } = app.platform
  const desk = openDesk((of) => database.of(of).reading, clock)
  const bytesOf = async () => {
    const { body } = await desk.answer(tenant, question, {})
    return (body as unknown as Media).content
  }
  const first = await bytesOf()
  for (let nth = 0; nth < 2_000; nth++) expect(await bytesOf()).toBe(first)
  expect(desk.asked().content).toBe(1)
  await app.scout.synthetic({ events: 1, played: 4 })
  await expect.poll(bytesOf).not.toEqual(first)
  expect(desk.asked().content).toBe(2)
})

test('what was answered is recalled by its address, for its own tenant, until it changes', async () => {
  const { database, clock } = app.platform
  const desk = openDesk((of) => database.of(of).reading, clock)
  await app.clock.advance(2_000)
  const target = '/robotics-statistics/v3.0/2026/matches/SY001?tournamentLevel=qual'
  expect(desk.recall(tenant, target, {})).toBeUndefined()
  const reply = await desk.answer(tenant, question, {})
  const { remember } = reply as Memorable
  remember?.(target)
  await desk.known(tenant)
  expect(desk.recall(tenant, target, {})).toBe(reply)
  expect(desk.recall('stranger', target, {})).toBeUndefined()
  const since = reply.headers?.['last-modified'] as string
  expect(desk.recall(tenant, target, { 'if-modified-since': since })).toMatchObject({ status: 304 })
  const both = { 'if-modified-since': since, 'fms-onlymodifiedsince': since }
  expect(desk.recall(tenant, target, both), 'which is refused').toBeUndefined()
  await app.scout.synthetic({ events: 1, played: 5 })
  await expect
    .poll(async () => {
      await desk.known(tenant)
      return desk.recall(tenant, target, {})
    })
    .not.toBe(reply)
})

test('an answer that is recalled while the database is away rejects nothing that no caller waits for', async () => {
  const { database, clock } = app.platform
  let isAway = false
  const away = { many: () => Promise.reject(new DatabaseUnavailable('away')) } as unknown as ReadingDb
  const desk = openDesk((of) => (isAway ? away : database.of(of).reading), clock)
  const target = '/robotics-statistics/v3.0/2026/matches/SY001'
  const reply = await desk.answer(tenant, question, {})
  ;(reply as Memorable).remember?.(target)
  isAway = true
  const rejected: unknown[] = []
  const onRejection = (reason: unknown) => rejected.push(reason)
  process.on('unhandledRejection', onRejection)
  const outcome = async () => {
    desk.recall(tenant, target, {})
    return Promise.resolve(desk.known(tenant)).then(
      () => 'remembered',
      ({ message }) => message,
    )
  }
  await expect.poll(outcome).toBe('away')
  process.off('unhandledRejection', onRejection)
  expect(rejected).toEqual([])
})
