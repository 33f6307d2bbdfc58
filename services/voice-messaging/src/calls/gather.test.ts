import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { gathering } from './gather.ts'

test('what comes while others are written is written together, in order; an error is of those that it hit', async () => {
  const written: (readonly number[])[] = []
  const write = gathering<number>(async (items) => {
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
