import { expect, test } from 'vitest'
import { recentlyUsed } from './recently-used.ts'

test('the cache has a limit, and recently used entries stay', () => {
  const cache = recentlyUsed<number>('of a test', 1_000)
  cache.set('often', -1)
  for (let n = 0; n < 10_000; n++) {
    cache.set(`key ${n}`, n)
    if (n % 100 === 0) expect(cache.get('often')).toBe(-1)
    expect(cache.size()).toBeLessThanOrEqual(1_000)
  }
  expect(cache.get('key 9999')).toBe(9_999)
  expect(cache.get('key 0')).toBeUndefined()
})
