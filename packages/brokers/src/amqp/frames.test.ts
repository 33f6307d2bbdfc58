import { Failure } from '@icosa/kernel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { table } from './fields.ts'
import { encodeFrame, type Frame, framesOf, frameTypes } from './frames.ts'
import { methodFrame, methodOf, methods } from './methods.ts'

async function* chunksOf(bytes: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  let start = 0
  for (const end of ends) {
    yield bytes.subarray(start, end)
    start = end
  }
}

const bytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
const cuts = fc.array(fc.nat(5_000), { maxLength: 20 })
const frame: fc.Arbitrary<Frame> = fc.record({
  type: fc.constantFrom(...Object.values(frameTypes)),
  channel: fc.nat(65_535),
  payload: bytes(300),
})

test('frames come out as they went in, however the network cuts them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 8 }), cuts, async (frames, at) => {
      const sent = Buffer.concat(frames.map(encodeFrame))
      expect(await Array.fromAsync(framesOf(chunksOf(sent, at)))).toEqual(frames)
    }),
  )
})

test('arbitrary bytes are frames or a failure in words, and nothing else', async () => {
  // Half of them begin like a frame, so that more than the first octet is looked at.
  const prefix = fc.constantFrom('', '01000000000004', '0100010000', '0200010000000a', '01000000ffffff')
  const heartbeat = Buffer.from(encodeFrame({ type: frameTypes.heartbeat, channel: 0, payload: Buffer.alloc(0) }))
  let frames = 0
  let failures = 0
  await fc.assert(
    fc.asyncProperty(prefix, bytes(200), cuts, async (start, rest, at) => {
      const sent = Buffer.concat([Buffer.from(start, 'hex'), rest])
      try {
        frames += (await Array.fromAsync(framesOf(chunksOf(sent, at)))).length
      } catch (error) {
        expect(error).toBeInstanceOf(Failure)
        failures++
      }
    }),
    { numRuns: 1_000, examples: [['', heartbeat, []]] },
  )
  expect(frames).toBeGreaterThan(0)
  expect(failures).toBeGreaterThan(0)
})

test('fields that are cut short are a failure in words', () => {
  fc.assert(
    fc.property(bytes(40), (payload) => {
      try {
        const method = methodOf({ type: frameTypes.method, channel: 0, payload })
        method?.fields.short()
        method?.fields.table()
        method?.fields.longText()
        method?.fields.shortText()
      } catch (error) {
        expect(error).toBeInstanceOf(Failure)
      }
    }),
  )
})

test('a frame is spelled as the specification spells it', () => {
  expect(methodFrame(1, methods.channelOpen, Buffer.of(0)).toString('hex')).toBe(
    '01000100000005' + '0014000a' + '00' + 'ce',
  )
  expect(table({ a: 'é', b: true, c: { d: 1 } }).toString('hex')).toBe(
    '0000001f' + '01615300000002c3a9' + '01627401' + '016346' + '0000000b' + '01646c0000000000000001',
  )
})
