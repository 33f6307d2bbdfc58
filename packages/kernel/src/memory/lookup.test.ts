import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lookup } from './lookup.ts'

test('a flood of invalid keys is one statement at a time, and a valid key waits for two at most', async () => {
  let statements = 0
  let running = 0
  let most = 0
  const find = lookup('of a test', async (keys) => {
    statements++
    most = Math.max(most, ++running)
    await sleep(1)
    running--
    return new Map(keys.filter((key) => key === 'real').map((key) => [key, 'ada']))
  })
  const flood = Array.from({ length: 5_000 }, (_, index) => find(`made up ${index}`))
  expect(await find('real')).toBe('ada')
  expect((await Promise.all(flood)).filter((found) => found !== undefined)).toEqual([])
  expect({ statements, most }).toEqual({ statements: 1, most: 1 })
  expect(find('real'), 'cached, without a promise').toBe('ada')
  await find('made up again')
  expect(find('made up again'), 'misses are cached, too, for a moment').toBeUndefined()
})

test('a failing statement rejects its callers; the next call tries again', async () => {
  let fails = true
  const find = lookup('of a test', async () => {
    if (fails) throw new Error('no database')
    return new Map([['real', 'ada']])
  })
  await expect(find('real')).rejects.toThrow('no database')
  fails = false
  expect(await find('real')).toBe('ada')
})
