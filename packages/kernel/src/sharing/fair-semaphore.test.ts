import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fairQuota } from './fair-quota.ts'
import { type FairSemaphoreOptions, fairSemaphore } from './fair-semaphore.ts'

test('a tenant gets three quarters alone, less beside others, and a newcomer always finds a unit', () => {
  const quota = fairQuota(16)
  const acquireAll = (key: string) => {
    let units = 0
    while (quota.acquire(key)) units++
    return units
  }
  expect([acquireAll('ada'), acquireAll('bob'), acquireAll('cy')]).toEqual([12, 3, 1])
  expect(quota.acquire('dee'), 'nothing is left').toBe(false)
  for (let n = 0; n < 12; n++) quota.release('ada')
  expect(quota.acquire('dee')).toBe(true)
  expect(quota.inUse).toBe(5)
})

interface Started {
  readonly key: string
  end(): void
}

/** Work that goes on until it is told to end. */
function workshop(places: number, options: FairSemaphoreOptions) {
  const gate = fairSemaphore(places, options)
  const started: Started[] = []
  const begin = (key: string) =>
    gate.run(key, () => new Promise<void>((end) => started.push({ key, end: () => end() })))
  return { gate, started, begin, of: (key: string) => started.filter((one) => one.key === key).length }
}

test('who floods waits for itself: a newcomer starts at once, and lines take turns', async () => {
  const { gate, started, begin, of } = workshop(8, { maxWaiting: 1000, waitMs: 60_000 })
  const flood = Array.from({ length: 100 }, () => begin('flood'))
  expect(of('flood')).toBe(6)
  const other = begin('other')
  expect(of('other'), 'no wait behind the hundred').toBe(1)
  const more = Array.from({ length: 10 }, () => begin('other'))
  let ended = 0
  while (ended < started.length) {
    for (const { end } of started.slice(ended)) {
      end()
      ended++
    }
    await sleep(0)
  }
  await Promise.all([...flood, other, ...more])
  const lastOfOther = started.map(({ key }) => key).lastIndexOf('other')
  expect(lastOfOther, 'eleven of another are done while the hundred have hardly begun').toBeLessThan(60)
  expect(gate.load()).toEqual({ running: 0, waiting: 0 })
})

test('who waited too long, or whose line is full, learns when to try again', async () => {
  const { gate, started, begin } = workshop(2, { maxWaiting: 4, waitMs: 50 })
  const running = begin('ada')
  const waiting = [begin('ada'), begin('ada'), begin('ada')]
  const tooMany = await begin('ada').catch((error) => error)
  expect(tooMany).toMatchObject({ kind: 'rateLimited', retryAfterSeconds: 1 })
  for (const late of await Promise.allSettled(waiting))
    expect(late).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable', retryAfterSeconds: 1 } })
  for (const { end } of started) end()
  await running
  expect(gate.load()).toEqual({ running: 0, waiting: 0 })
})
