import { expect, test } from 'vitest'
import { cacheFigures } from './cache-figures.ts'
import { expiringCache } from './expiring-cache.ts'
import { recentlyUsed } from './recently-used.ts'

const figuresOf = (name: string) => cacheFigures().find((cacheFigure) => cacheFigure.name === name)

test('a cache counts hits, misses and evictions; caches of one name are counted together', () => {
  const [first, second] = [recentlyUsed<number>('counted', 10), recentlyUsed<number>('counted', 10)]
  first.set('a', 1)
  second.set('b', 2)
  expect([first.get('a'), first.get('b'), second.get('b')]).toEqual([1, undefined, 2])
  expect(figuresOf('counted')).toEqual({ name: 'counted', hits: 2, misses: 1, evictions: 0, entries: 2 })
  for (let n = 0; n < 20; n++) first.set(`n${n}`, n)
  expect(first.size() + (figuresOf('counted')?.evictions ?? 0)).toBe(21)
})

test('an expired entry is not a hit', async () => {
  const cache = expiringCache({ name: 'expired', forMs: 0, limit: 10, find: async (key) => key })
  await cache.get('a')
  await cache.get('a')
  expect(figuresOf('expired')).toMatchObject({ hits: 0, misses: 2, entries: 1 })
})
