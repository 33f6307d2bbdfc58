import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { frameMs, frameSamples } from '../rtp/packet.ts'
import { ssmlOf } from '../speech/ssml/ssml.ts'
import { synthesizer } from '../speech/synthesize.ts'
import { hello, startVoice } from '../testing/app.ts'
import { paceMs } from '../testing/listener.ts'
import { type HeardHeader, startListenerProcess } from '../testing/listeners.ts'
import { hear, say, startPhone } from '../testing/sipp.ts'

// CALLS=100 npx vitest run services/voice-messaging/src/dialing/concurrency.test.ts
const count = sized(20, 100)
const Text = '<speak>This is a message for many.<break time="10s"/> All of them hear it at the same time.</speak>'

const quantiles = (values: readonly number[]) => {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (q: number) => (sorted[Math.floor(q * (sorted.length - 1))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

/** How much later than the quickest of its call each packet came, by its timestamp. */
function latenessOf(packets: readonly HeardHeader[]): number[] {
  const first = packets[0]?.timestamp ?? 0
  const offsets = packets.map(({ arrivedMs, timestamp }) => arrivedMs - ((timestamp - first + 2 ** 32) % 2 ** 32) / 8)
  const least = Math.min(...offsets)
  return offsets.map((offset) => offset - least)
}

test(`${count} calls at the same time on one node, all of them heard in full`, async () => {
  using listener = await startListenerProcess()
  await using phone = await startPhone(
    [
      hear('INVITE'),
      say(180, 'Ringing'),
      say(200, 'OK', { mediaPort: listener.port, again: 500 }),
      hear('ACK'),
      hear('BYE'),
      say(200, 'OK'),
    ],
    count,
  )
  const trunk = { host: '127.0.0.1', port: phone.port }
  const rate = { perSecond: count, burst: count }
  await using world = await startVoice(
    { trunk, rate, callsAtOnce: 2 * count },
    { worker: { concurrency: 8, background: true } },
  )
  const caller = await world.caller()
  const started = performance.now()
  const body = { ...hello, Content: { SSMLMessage: { Text } } }
  await Promise.all(Array.from({ length: count }, () => caller.SendVoiceMessage({ body })))
  const sentMs = performance.now() - started
  const { database } = world.app.platform
  const having = async (type: string) => {
    const row = sql`select count(*)::int as count from voice_messaging.events where type = ${type}`
    return (await database.one<{ count: number }>(row)).count
  }
  await expect.poll(() => having('ANSWERED'), { timeout: 60_000, interval: 20 }).toBe(count)
  const allMs = performance.now() - started
  await expect.poll(() => having('COMPLETED_CALL'), { timeout: 60_000 }).toBe(count)
  await phone.ended

  const calls = [...Map.groupBy(await listener.heard(), ({ source }) => source).values()]
  const spoken = await synthesizer()('acme', { ssml: ssmlOf(Text, 'at', 'en-us'), voice: 'en-us' })
  const setups = await database.many<{ ms: number }>(sql`
    select (1000 * extract(epoch from answered.happened_at - initiated.happened_at))::float as ms
    from voice_messaging.events as initiated join voice_messaging.events as answered using (tenant, call_id)
    where initiated.type = 'INITIATED_CALL' and answered.type = 'ANSWERED'`)
  console.log(
    `The same message to ${count}: taken in ${sentMs.toFixed(0)} ms, all of them spoken to after ${allMs.toFixed(0)} ms\n` +
      `from dialling to answer: ${quantiles(setups.map(({ ms }) => ms))}\n` +
      `lateness of ${calls.flat().length} packets: ${quantiles(calls.flatMap(latenessOf))}; ` +
      `${calls.flat().filter(({ marked }) => marked).length - count} silences where it was too late`,
  )
  expect(calls).toHaveLength(count)
  const starts = calls.map((packets) => packets[0]?.arrivedMs ?? 0)
  const ends = calls.map((packets) => packets.at(-1)?.arrivedMs ?? 0)
  expect(Math.max(...starts), 'all of them at the same time').toBeLessThan(Math.min(...ends))
  for (const packets of calls) {
    expect(packets).toHaveLength(Math.ceil(spoken.length / frameSamples))
    expect(Math.abs(paceMs(packets) / frameMs - 1), 'at the pace of speech').toBeLessThan(0.1)
  }
})
