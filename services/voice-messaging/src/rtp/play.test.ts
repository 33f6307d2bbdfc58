import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { payloadTypes } from '../sip/sdp.ts'
import { soundOf, startListener } from '../testing/listener.ts'
import { beat } from './beat.ts'
import { mediaSockets } from './media.ts'
import { frameSamples } from './packet.ts'
import { play } from './play.ts'

const open = mediaSockets({ first: 33_001, last: 33_200 })
const never = new AbortController().signal
const ramp = (frames: number) =>
  Int16Array.from({ length: frames * frameSamples }, (_, index) => 100 * Math.floor(index / frameSamples))

test('a blocked process causes silence, but loses no audio', async () => {
  await using listener = await startListener()
  const socket = await open('127.0.0.1')
  const audio = ramp(50)
  const target = { address: '127.0.0.1', port: listener.port, payloadType: payloadTypes.muLaw }
  const playing = play(beat(), { socket, target, audio, signal: never })
  await sleep(300)
  for (const until = performance.now() + 500; performance.now() < until; ); // blocks the event loop
  await playing
  await sleep(50)
  socket.close()
  const { packets } = listener
  expect(packets).toHaveLength(50)
  expect(packets.map(({ sequence }, index) => (sequence - index + 65_536) % 65_536)).toEqual(
    packets.map(() => packets[0]?.sequence),
  )
  const marked = packets.flatMap((packet, index) => (packet.marked ? [index] : []))
  expect(marked).toHaveLength(2)
  const [, after = 0] = marked
  const step = ((packets[after]?.timestamp ?? 0) - (packets[after - 1]?.timestamp ?? 0) + 2 ** 32) % 2 ** 32
  expect(step / 8, 'some 400 ms of silence').toBeGreaterThan(200)
  expect(step % frameSamples).toBe(0)
  expect(soundOf(packets).length).toBe(audio.length + step - frameSamples)
})

test('calls share one beat, and end independently', async () => {
  await using listener = await startListener()
  const shared = beat()
  const frames = [5, 10, 20]
  const target = { address: '127.0.0.1', port: listener.port, payloadType: payloadTypes.aLaw }
  const sockets = await Promise.all(frames.map(() => open('127.0.0.1')))
  const stop = new AbortController()
  const played = frames.map((count, index) => {
    const socket = sockets[index] as Awaited<ReturnType<typeof open>> // one per call
    return play(shared, { socket, target, audio: ramp(count), signal: count === 20 ? stop.signal : never })
  })
  await played[1]
  stop.abort()
  await Promise.all(played)
  await sleep(50)
  for (const socket of sockets) socket.close()
  const counts = [...Map.groupBy(listener.packets, ({ source }) => source).values()].map(({ length }) => length)
  expect(counts.sort((a, b) => a - b).slice(0, 2)).toEqual([5, 10])
  expect(counts[2], 'stopped after the second').toBeLessThan(15)
})

test('ports are even and within the range, and exhaustion is reported', async () => {
  const openFew = mediaSockets({ first: 33_301, last: 33_306 })
  const sockets = [await openFew('127.0.0.1'), await openFew('127.0.0.1'), await openFew('127.0.0.1')]
  expect(sockets.map((socket) => socket.address().port)).toEqual([33_302, 33_304, 33_306])
  await expect(openFew('127.0.0.1')).rejects.toThrow('from 33301 to 33306 are in use')
  sockets[1]?.close()
  const reopened = await openFew('127.0.0.1')
  expect(reopened.address().port).toBe(33_304)
  for (const socket of [sockets[0], reopened, sockets[2]]) socket?.close()
})
