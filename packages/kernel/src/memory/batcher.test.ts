import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Failure } from '../errors.ts'
import { batcher } from './batcher.ts'

test('items that arrive during a write form the next batch, in order; an error rejects only its batch', async () => {
  const written: (readonly number[])[] = []
  const write = batcher(async (items: readonly number[]) => {
    await sleep(10)
    if (items.includes(3)) throw new Error('the third')
    written.push(items)
  })
  const first = write(1)
  await sleep(5)
  const [second, third] = [write(2), write(3)]
  await first
  const fourth = write(4)
  await expect(second).rejects.toThrow('the third')
  await expect(third).rejects.toThrow('the third')
  await fourth
  await write(5)
  expect(written).toEqual([[1], [4], [5]])
})

test('each caller gets the result of its batch, and calls beyond the limit are refused', async () => {
  const batches: number[] = []
  const ask = batcher(
    async (items: readonly number[]) => {
      batches.push(items.length)
      await sleep(5)
      return items.join()
    },
    { maxWaiting: 3, refusal: 'Later.' },
  )
  const first = ask(0)
  await sleep(0)
  const others = [ask(1), ask(2), ask(3)]
  expect(() => ask(4)).toThrow(new Failure('unavailable', 'Later.', { retryAfterSeconds: 1 }))
  expect(await first).toBe('0')
  expect(await Promise.all(others)).toEqual(['1,2,3', '1,2,3', '1,2,3'])
  expect(batches).toEqual([1, 3])
})
