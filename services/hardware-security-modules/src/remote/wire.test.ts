import { expect, test } from 'vitest'
import { frames, toBytes } from './wire.ts'

const frame = (code: number, size: number) => ({ code, options: Buffer.from('o'), body: Buffer.alloc(size, code) })

test.each([1, 7, 13, 1_000])('frames are whole however they come: %i bytes at a time', (size) => {
  const sent = [frame(1, 0), frame(2, 5), frame(3, 3_000), frame(4, 1)]
  const bytes = Buffer.concat(sent.map(toBytes))
  const take = frames(() => 10_000)
  const taken = []
  for (let at = 0; at < bytes.length; at += size) taken.push(...take(bytes.subarray(at, at + size)))
  expect(taken).toEqual(sent)
})

test('a frame that comes in single bytes costs time by its length, not by its square', () => {
  const bytes = toBytes(frame(1, 500_000))
  const take = frames(() => 1_000_000)
  const begun = process.cpuUsage()
  let taken = 0
  for (let at = 0; at < bytes.length; at++) taken += take(bytes.subarray(at, at + 1)).length
  const seconds = process.cpuUsage(begun).user / 1e6
  expect(taken).toBe(1)
  expect(seconds, 'copied for every byte, it takes a minute').toBeLessThan(5)
})
