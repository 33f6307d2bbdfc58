import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Program } from './program.ts'
import { openReloading } from './reloading.ts'

test('no program starts after the end, although a file was saved while one was being replaced', async () => {
  let starts = 0
  let stops = 0
  const stopping = Promise.withResolvers<void>()
  const start = async (): Promise<Program> => {
    starts++
    const ended = Promise.withResolvers<number | null>()
    return {
      socket: Promise.resolve('socket'),
      ended: ended.promise,
      async stop() {
        stops++
        await stopping.promise
        ended.resolve(0)
      },
    }
  }
  const reloading = openReloading(start, [])
  reloading.reload('one file')
  await expect.poll(() => stops).toBe(1)
  reloading.reload('another')
  stopping.resolve()
  await expect.poll(() => starts).toBe(2)
  await reloading.stop()
  expect(stops).toBe(2)
  await sleep(300) // longer than saves are gathered
  expect(starts).toBe(2)
})
