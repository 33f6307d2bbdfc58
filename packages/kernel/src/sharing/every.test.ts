import { expect, test } from 'vitest'
import { every } from './every.ts'

test('runs never overlap, continue after an error, and end when stopped', async () => {
  const errors: unknown[] = []
  let begun = 0
  let running = 0
  let most = 0
  let finish = () => {}
  const stop = every(
    1,
    async () => {
      begun += 1
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      running -= 1
      if (begun === 1) throw new Error('once')
    },
    (error) => errors.push(error),
  )
  await expect.poll(() => begun).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 20)) // many intervals
  expect(begun).toBe(1)
  finish()
  await expect.poll(() => begun).toBe(2)
  expect(errors).toHaveLength(1)
  stop()
  finish()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([begun, most]).toEqual([2, 1])
})
