import { expect, test } from 'vitest'
import { frames, toBytes } from './wire.ts'

const frame = (code: number, size: number) => ({ code, options: Buffer.from('o'), body: Buffer.alloc(size, code) })

test.each([1, 7, 13, 1_000])('frames are reassembled from chunks of %i bytes', (size) => {
  const sent = [frame(1, 0), frame(2, 5), frame(3, 3_000), frame(4, 1)]
  const bytes = Buffer.concat(sent.map(toBytes))
  const readFrames = frames(() => 10_000)
  const received = []
  for (let at = 0; at < bytes.length; at += size) received.push(...readFrames(bytes.subarray(at, at + size)))
  expect(received).toEqual(sent)
})

test('reading a frame byte by byte takes linear time', () => {
  const bytes = toBytes(frame(1, 500_000))
  const readFrames = frames(() => 1_000_000)
  const before = process.cpuUsage()
  let count = 0
  for (let at = 0; at < bytes.length; at++) count += readFrames(bytes.subarray(at, at + 1)).length
  const seconds = process.cpuUsage(before).user / 1e6
  expect(count).toBe(1)
  expect(seconds, 'a copy for every byte would take a minute').toBeLessThan(5)
})
