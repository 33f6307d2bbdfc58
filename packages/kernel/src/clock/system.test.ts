import { createTestDatabase, example } from '@icosa/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../db/db.ts'
import { clockSkewMs, correct, syncClock, systemClock } from './system.ts'

const hourMs = 3_600_000
const systemMs = () => systemClock.now().getTime()

afterEach(() => void vi.useRealTimers())

/** Simulates a server that replies `serverMs` instantly. */
const correctTo = (serverMs: number) => correct(serverMs, performance.now(), performance.now())

test("the system clock follows PostgreSQL's, however the machine's clock jumps", async () => {
  await using testDatabase = await createTestDatabase([example])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 1, onError: () => {} })
  const realMs = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: realMs + 24 * hourMs })
  await syncClock(database)
  expect(Math.abs(systemMs() - realMs)).toBeLessThan(hourMs)
  expect(clockSkewMs()).toBeGreaterThan(23 * hourMs)
  vi.setSystemTime(realMs - 24 * hourMs)
  expect(Math.abs(systemMs() - realMs)).toBeLessThan(hourMs)
  expect(clockSkewMs()).toBeLessThan(-23 * hourMs)
  await database.close()
})

test('a slow round trip corrects the clock only beyond its uncertainty', () => {
  const startMs = systemMs() + hourMs
  correctTo(startMs)
  const answeredAt = performance.now() + 10_000
  correct(startMs + 9_000, performance.now(), answeredAt)
  expect(systemMs() - startMs).toBeLessThan(5_000)
  expect(systemMs()).toBeGreaterThanOrEqual(startMs)
})

test('a small backward correction pauses the clock, a large one steps it', () => {
  const startMs = systemMs() + hourMs
  correctTo(startMs)
  const before = systemMs()
  correctTo(before - 500)
  expect(systemMs()).toBe(before)
  correctTo(before - hourMs)
  expect(systemMs()).toBeLessThan(before - hourMs / 2)
})
