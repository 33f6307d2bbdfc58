import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { payloadTypes } from '../sip/sdp.ts'
import { silence } from '../speech/audio.ts'
import { startListener } from '../testing/listener.ts'
import { channels } from './channel.ts'

test('channels have their own ports, play until stopped, and fail when no port is free', async () => {
  await using listener = await startListener()
  await using pool = channels({ first: 33_400, last: 33_403 })
  const { open } = pool
  const target = { address: '127.0.0.1', port: listener.port, payloadType: payloadTypes.muLaw }
  {
    using first = await open('127.0.0.1')
    using second = await open('127.0.0.1')
    expect([first.port, second.port]).toEqual([33_400, 33_402])
    await expect(open('127.0.0.1')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('33400 to 33403'),
    })
    const stop = new AbortController()
    const playing = first.play(target, silence(10_000), stop.signal)
    await second.play(target, silence(200), new AbortController().signal)
    stop.abort()
    await playing
    await expect(first.play(target, silence(10_000), AbortSignal.abort())).resolves.toBeUndefined()
  }
  await sleep(50)
  const counts = [...Map.groupBy(listener.packets, ({ source }) => source).values()].map(({ length }) => length)
  expect(Math.min(...counts)).toBe(10)
  expect(Math.max(...counts), 'far fewer than ten seconds').toBeLessThan(100)
  using reopened = await open('127.0.0.1')
  expect(reopened.port).toBeGreaterThan(0)
})
