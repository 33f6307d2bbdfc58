import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { writeBehind } from './write-behind.ts'

test('frequent changes are written periodically, never concurrently, and at once when flushed', async () => {
  let running = 0
  let most = 0
  const write = vi.fn(async () => {
    most = Math.max(most, ++running)
    await sleep(5)
    running--
  })
  const { soon, flush } = writeBehind({ everyMs: 20, write, onError: () => {} })
  for (let count = 0; count < 100; count++) soon()
  expect(write).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1))
  soon()
  await Promise.all([flush(), flush()])
  await sleep(50)
  expect(write).toHaveBeenCalledTimes(3) // no timer is left
  expect(most).toBe(1)
})

test('an error is reported, and the next write is made', async () => {
  const errors: Error[] = []
  const write = vi.fn(async () => {}).mockRejectedValueOnce(new Error('away'))
  const { flush } = writeBehind({ everyMs: 20, write, onError: (error) => errors.push(error) })
  await flush()
  await flush()
  expect(errors.map(({ message }) => message)).toEqual(['away'])
  expect(write).toHaveBeenCalledTimes(2)
})
