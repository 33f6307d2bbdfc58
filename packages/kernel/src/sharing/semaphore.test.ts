import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type SemaphoreOptions, semaphore, semaphorePerKey } from './semaphore.ts'

/** Work that runs until it is ended. */
function workshop(concurrency: number, options?: SemaphoreOptions) {
  const pass = semaphore(concurrency, options)
  const begun: { readonly name: string; end(): void; fail(error: Error): void }[] = []
  const begin = (name: string) =>
    pass(() => new Promise<string>((resolve, fail) => begun.push({ name, end: () => resolve(name), fail })))
  return { begin, begun, names: () => begun.map(({ name }) => name).join('') }
}

test('concurrency is limited and waiting calls run in FIFO order, also after an error', async () => {
  const { begin, begun, names } = workshop(2)
  const all = [...'abcde'].map(begin)
  await sleep(5)
  expect(names(), 'no call is refused').toBe('ab')
  begun[1]?.fail(new Error('b broke'))
  await expect(all[1]).rejects.toThrow('b broke')
  await expect.poll(names).toBe('abc')
  begun[0]?.end()
  await expect.poll(names).toBe('abcd')
  begun[2]?.end()
  begun[3]?.end()
  await expect.poll(names).toBe('abcde')
  begun[4]?.end()
  expect(await Promise.all([all[0], all[2], all[3], all[4]])).toEqual(['a', 'c', 'd', 'e'])
  const more = ['f', 'g', 'h'].map(begin)
  expect(names(), 'both slots are free again').toBe('abcdefg')
  for (const index of [5, 6]) begun[index]?.end()
  await expect.poll(names).toBe('abcdefgh')
  begun[7]?.end()
  await Promise.all(more)
})

test('a call that finds the queue full or waits too long is refused and takes no slot', async () => {
  const { begin, begun, names } = workshop(1, { maxWaiting: 1, waitMs: 20, refusal: 'Full.' })
  const refused = { kind: 'unavailable', message: 'Full.', retryAfterSeconds: 5 }
  const first = begin('a')
  const late = begin('b')
  await expect(begin('c')).rejects.toMatchObject(refused)
  await expect(late).rejects.toMatchObject(refused)
  const next = begin('d')
  begun[0]?.end()
  await first
  await expect.poll(names).toBe('ad') // the call that waits now, not the refused one
  await sleep(40) // it runs, so its waiting time no longer applies
  begun[1]?.end()
  expect(await next).toBe('d')
})

test('a call that gets its turn leaves no timer', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { begin, begun } = workshop(1, { waitMs: 1_000 })
  const all = [begin('a'), begin('b')]
  expect(vi.getTimerCount()).toBe(1)
  begun[0]?.end()
  await vi.waitFor(() => expect(begun).toHaveLength(2))
  expect(vi.getTimerCount()).toBe(0)
  begun[1]?.end()
  expect(await Promise.all(all)).toEqual(['a', 'b'])
})

test('without limits any number of calls wait for any time; the failure has a message', async () => {
  const { begin, begun, names } = workshop(1)
  const all = Array.from({ length: 100 }, () => begin('a'))
  for (let count = 1; count <= 100; count++) {
    await expect.poll(() => names().length, { interval: 1 }).toBe(count)
    begun[count - 1]?.end()
  }
  expect(await Promise.all(all)).toHaveLength(100)
  const none = semaphore(0, { maxWaiting: 0 })
  await expect(none(async () => {})).rejects.toThrow('Too many concurrent requests')
})

test('every key has its own semaphore, as long as it is in use', async () => {
  const pass = semaphorePerKey(1, { maxWaiting: 1 })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const begin = (key: string) =>
    pass(key, () => {
      begun.push(key)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const ada = [begin('ada'), begin('ada')]
  await expect(begin('ada'), 'one runs, one waits').rejects.toMatchObject({ kind: 'unavailable' })
  const bob = begin('bob')
  expect(begun).toEqual(['ada', 'bob'])
  for (const end of ends) end()
  await Promise.all([ada[0], bob])
  await expect.poll(() => begun).toEqual(['ada', 'bob', 'ada'])
  const again = begin('ada')
  expect(begun, 'the same semaphore').toHaveLength(3)
  ends[2]?.()
  await expect.poll(() => begun).toHaveLength(4)
  ends[3]?.()
  await Promise.all([...ada, again])
})
