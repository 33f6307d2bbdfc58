import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FairQueue } from './fair-queue.ts'
import { fairQuota, INTERNAL } from './fair-quota.ts'
import { type FairSemaphoreOptions, fairSemaphore } from './fair-semaphore.ts'

test('a tenant gets three quarters alone, less when others are active, and a new one always gets a unit', () => {
  const quota = fairQuota(16)
  const acquireAll = (key: string) => {
    let units = 0
    while (quota.acquire(key)) units++
    return units
  }
  expect([acquireAll('ada'), acquireAll('bob'), acquireAll('cy')]).toEqual([12, 3, 1])
  expect(quota.acquire('dee'), 'no unit is left').toBe(false)
  for (let n = 0; n < 12; n++) quota.release('ada')
  expect(quota.acquire('dee')).toBe(true)
  expect(quota.inUse).toBe(5)
})

interface Started {
  readonly key: string
  end(): void
  fail(error: Error): void
}

/** Work that runs until it is ended. */
function workshop(places: number, options: FairSemaphoreOptions) {
  const gate = fairSemaphore(places, options)
  const started: Started[] = []
  const begin = (key: string) =>
    gate.run(key, () => new Promise<void>((end, fail) => started.push({ key, end: () => end(), fail })))
  return { gate, started, begin, of: (key: string) => started.filter((one) => one.key === key).length }
}

test('a flood delays only itself: a new key starts at once, and queues take turns', async () => {
  const { gate, started, begin, of } = workshop(8, { maxWaiting: 1000, waitMs: 60_000 })
  const flood = Array.from({ length: 100 }, () => begin('flood'))
  expect(of('flood')).toBe(6)
  const other = begin('other')
  expect(of('other'), 'not behind the hundred').toBe(1)
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
  expect(lastOfOther, 'eleven of another key finish before most of the hundred start').toBeLessThan(60)
  expect(gate.load()).toEqual({ running: 0, waiting: 0 })
})

test('a caller that waited too long, or whose queue is full, is told when to retry', async () => {
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

test('a waiting caller is refused after its time and not before, and then no timer is left', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { started, begin } = workshop(2, { maxWaiting: 100, waitMs: 1_000 })
  const running = begin('ada')
  let refused: unknown
  const waiting = begin('ada').catch((error) => {
    refused = error
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(refused).toBeUndefined()
  await vi.advanceTimersByTimeAsync(200)
  expect(refused).toMatchObject({ kind: 'unavailable' })
  expect(vi.getTimerCount()).toBe(0)
  await waiting
  const again = begin('ada')
  const late = expect(begin('ada')).rejects.toMatchObject({ kind: 'unavailable' })
  expect(vi.getTimerCount(), 'one timer for the new waiters').toBe(1)
  started[0]?.end()
  await vi.advanceTimersByTimeAsync(1_200)
  await late
  expect(started).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
  started[1]?.end()
  await Promise.all([running, again])
})

test('without a limit of time, a waiting caller has no timer', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { started, begin } = workshop(2, {})
  const all = [begin('ada'), begin('ada')]
  expect(vi.getTimerCount()).toBe(0)
  started[0]?.end()
  await all[0]
  started[1]?.end()
  await all[1]
})

test('failing work frees its slot for the next caller, which waits without a limit', async () => {
  const { gate, started, begin } = workshop(2, {})
  const failing = begin('ada')
  const next = begin('ada')
  await sleep(5)
  expect([started.length, gate.load()]).toEqual([1, { running: 1, waiting: 1 }])
  started[0]?.fail(new Error('it broke'))
  await expect(failing).rejects.toThrow('it broke')
  expect(started).toHaveLength(2)
  started[1]?.end()
  await next
  expect(gate.load()).toEqual({ running: 0, waiting: 0 })
})

test('internal work may use the whole capacity; no key exceeds it, or releases more than it acquired', () => {
  const quota = fairQuota(4)
  expect(quota.acquire(INTERNAL, 3)).toBe(true)
  expect([quota.acquire(INTERNAL), quota.acquire(INTERNAL)]).toEqual([true, false])
  expect(quota.inUse).toBe(4)
  quota.release(INTERNAL, 4)
  expect(quota.inUse).toBe(0)
  expect(quota.acquire('ada', 5)).toBe(false)
  expect(quota.acquire('ada', 4), 'all of it as the first key').toBe(true)
  expect(() => quota.release('bob')).toThrow('more than it acquired')
  expect(() => quota.release('ada', 5)).toThrow('more than it acquired')
  quota.release('ada', 3)
  expect([quota.acquire('ada', 2), quota.acquire('ada')], 'three units per free one').toEqual([true, false])
  expect(() => quota.acquire('')).toThrow('empty fairness key')
})

test('released slots go round robin between keys, in FIFO order within each', async () => {
  const begun: string[] = []
  const queue = new FairQueue<{ readonly since: number; readonly name: string }>({
    slots: 4,
    maxWaiting: 8,
    begin: (key, { name }) => begun.push(`${String(key)} ${name}`),
  })
  const wait = (key: string, name: string, since = 0) => queue.enqueue(key, { since, name })
  expect(['ada', 'ada', 'ada', 'ada'].map((key) => queue.tryAcquire(key))).toEqual([true, true, true, false])
  expect([wait('ada', '1'), wait('ada', '2'), wait('ada', '3'), wait('bob', '1'), wait('bob', '2')]).toEqual(
    Array(5).fill(true),
  )
  expect([queue.running, queue.waiting]).toEqual([3, 5])
  expect(queue.tryAcquire('bob'), 'not ahead of waiting callers').toBe(false)
  queue.release('ada')
  expect(begun).toEqual(['ada 1', 'bob 1'])
  queue.release('ada')
  expect(begun, 'both have used their share').toHaveLength(2)
  queue.release('ada')
  expect(begun).toEqual(['ada 1', 'bob 1', 'ada 2'])
  expect([queue.running, queue.waiting]).toEqual([3, 2])
  const more = ['1', '2', '3', '4', '5'].map((name) => wait('bob', name, Number(name)))
  expect(more, 'its share of the queue').toEqual([true, true, true, true, false])
  expect(queue.expire(3).map(({ name }) => name)).toEqual(['2', '1', '2', '3'])
  expect(queue.waiting).toBe(2)
  expect(queue.expire().map(({ name }) => name)).toEqual(['3', '4'])
  expect([queue.waiting, queue.expire()]).toEqual([0, []])
  queue.release('bob')
  expect(queue.tryAcquire('bob'), 'the queue is empty').toBe(true)
})
