import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { frameMs, frameSamples } from '../rtp/packet.ts'
import { ssmlOf } from '../speech/ssml/ssml.ts'
import { synthesizer } from '../speech/synthesize.ts'
import { hello, startVoice } from '../testing/app.ts'
import { paceMs, type ReceivedPacket } from '../testing/listener.ts'
import { receive, respond, startPhone } from '../testing/sipp.ts'

// CALLS=100 npx vitest run services/voice-messaging/src/dialing/concurrency.test.ts
const count = sized(20, 100)
const Text = '<speak>This is a message for many.<break time="10s"/> All of them hear it at the same time.</speak>'

const quantiles = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (q: number) => (sorted[Math.floor(q * (sorted.length - 1))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

/** Delay of each packet relative to the fastest of its call, by timestamp. */
function latenessOf(packets: readonly PacketHeader[]): number[] {
  const first = packets[0]?.timestamp ?? 0
  const offsets = packets.map(({ arrivedMs, timestamp }) => arrivedMs - ((timestamp - first + 2 ** 32) % 2 ** 32) / 8)
  const min = Math.min(...offsets)
  return offsets.map((offset) => offset - min)
}

test(`${count} concurrent calls on one node all play the whole message`, async () => {
  using listener = await startListenerProcess()
  await using phone = await startPhone(
    [
      receive('INVITE'),
      respond(180, 'Ringing'),
      respond(200, 'OK', { mediaPort: listener.port, retransmitMs: 500 }),
      receive('ACK'),
      receive('BYE'),
      respond(200, 'OK'),
    ],
    count,
  )
  const trunk = { host: '127.0.0.1', port: phone.port }
  const rate = { perSecond: count, burst: count }
  await using world = await startVoice(
    { trunk, rate, maxCalls: 2 * count },
    { worker: { concurrency: 8, background: true } },
  )
  const caller = await world.caller()
  const started = performance.now()
  const body = { ...hello, Content: { SSMLMessage: { Text } } }
  await Promise.all(Array.from({ length: count }, () => caller.SendVoiceMessage({ body })))
  const sentMs = performance.now() - started
  const { database } = world.app.platform
  const countEvents = async (type: string) => {
    const row = sql`select count(*)::int as count from voice_messaging.events where type = ${type}`
    return (await database.one<{ count: number }>(row)).count
  }
  await expect.poll(() => countEvents('ANSWERED'), { timeout: 60_000, interval: 20 }).toBe(count)
  const allMs = performance.now() - started
  await expect.poll(() => countEvents('COMPLETED_CALL'), { timeout: 60_000 }).toBe(count)
  await phone.ended

  const calls = [...Map.groupBy(await listener.packets(), ({ source }) => source).values()]
  const audio = await synthesizer()('acme', { ssml: ssmlOf(Text, 'at', 'en-us'), voice: 'en-us' })
  const setups = await database.many<{ ms: number }>(sql`
    select (1000 * extract(epoch from answered.happened_at - initiated.happened_at))::float as ms
    from voice_messaging.events as initiated join voice_messaging.events as answered using (tenant, call_id)
    where initiated.type = 'INITIATED_CALL' and answered.type = 'ANSWERED'`)
  console.log(
    `The same message to ${count}: accepted in ${sentMs.toFixed(0)} ms, all calls answered after ${allMs.toFixed(0)} ms\n` +
      `from dialling to answer: ${quantiles(setups.map(({ ms }) => ms))}\n` +
      `lateness of ${calls.flat().length} packets: ${quantiles(calls.flatMap(latenessOf))}; ` +
      `${calls.flat().filter(({ marked }) => marked).length - count} gaps from late packets`,
  )
  expect(calls).toHaveLength(count)
  const starts = calls.map((packets) => packets[0]?.arrivedMs ?? 0)
  const ends = calls.map((packets) => packets.at(-1)?.arrivedMs ?? 0)
  expect(Math.max(...starts), 'all calls overlap').toBeLessThan(Math.min(...ends))
  for (const packets of calls) {
    expect(packets).toHaveLength(Math.ceil(audio.length / frameSamples))
    expect(Math.abs(paceMs(packets) / frameMs - 1), 'in real time').toBeLessThan(0.1)
  }
})

type PacketHeader = Omit<ReceivedPacket, 'payload'>

/** Starts a listener in its own process. */
async function startListenerProcess() {
  const child = fork(new URL('../testing/listener-process.ts', import.meta.url))
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    async packets(): Promise<PacketHeader[]> {
      const answer = once(child, 'message')
      child.send('packets')
      return (await answer)[0]
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
