import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expiringCache } from './expiring-cache.ts'

/** A cache in front of a mutable value, with the number of reads that reached it. */
function before(forMs = 60_000) {
  const source = { value: 'old', asked: 0, gate: Promise.resolve() }
  const cache = expiringCache({
    name: 'of a test',
    forMs,
    limit: 100,
    async find() {
      source.asked++
      const { value } = source
      await source.gate
      return value
    },
    keep: (found) => found !== 'unkept',
  })
  return { source, cache }
}

test('concurrent reads are coalesced; then the value is returned synchronously until it expires', async () => {
  const { source, cache } = before(200)
  expect(await Promise.all(Array.from({ length: 50 }, () => cache.get('a')))).toEqual(Array(50).fill('old'))
  expect(source.asked).toBe(1)
  expect(cache.get('a')).toBe('old')
  source.value = 'new'
  await sleep(250)
  expect(await cache.get('a')).toBe('new')
})

test('a read that began before `forget` does not fill the cache', async () => {
  const { source, cache } = before()
  const gate = Promise.withResolvers<void>()
  source.gate = gate.promise
  const early = cache.get('a') // reads the old value, slowly
  cache.forget('a')
  source.value = 'new'
  gate.resolve()
  expect(await early).toBe('old')
  expect(await cache.get('a')).toBe('new')
})

test('neither errors nor values rejected by `keep` are cached', async () => {
  const { source, cache } = before()
  source.gate = Promise.reject(new Error('away'))
  await expect(cache.get('a')).rejects.toThrow('away')
  source.gate = Promise.resolve()
  source.value = 'unkept'
  expect(await cache.get('a')).toBe('unkept')
  expect(cache.get('a')).toBeInstanceOf(Promise)
})
