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

test('of many who ask at once one does; then it comes without a promise, until it is too old', async () => {
  const { source, cache } = before(200)
  expect(await Promise.all(Array.from({ length: 50 }, () => cache.get('a')))).toEqual(Array(50).fill('old'))
  expect(source.asked).toBe(1)
  expect(cache.get('a')).toBe('old')
  source.value = 'new'
  await sleep(250)
  expect(await cache.get('a')).toBe('new')
})

test('what is forgotten before a change commits is not remembered from before it', async () => {
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

test('what cannot be found out is not remembered, nor what is not worth it', async () => {
  const { source, cache } = before()
  source.gate = Promise.reject(new Error('away'))
  await expect(cache.get('a')).rejects.toThrow('away')
  source.gate = Promise.resolve()
  source.value = 'unkept'
  expect(await cache.get('a')).toBe('unkept')
  expect(cache.get('a')).toBeInstanceOf(Promise)
})
