import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { natsClient } from '@icosa/brokers/testing'
import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { hello, startVoice, stream, topic } from '../testing/app.ts'
import { type ReceivedEvent, startDestinations } from '../testing/destinations.ts'

const types = (events: readonly ReceivedEvent[]) => events.map(({ eventType }) => eventType)
const oneCall = ['INITIATED_CALL', 'RINGING', 'ANSWERED', 'COMPLETED_CALL']
const body = { ...hello, ConfigurationSetName: 'calls' }

test('a failing destination is retried with growing pauses, and does not delay others', async () => {
  await using destinations = await startDestinations()
  await using world = await startVoice(destinations.settings)
  const { app } = world
  const { endpoint } = destinations
  const caller = await world.caller(destinations.tenant)
  await destinations.configure(caller)
  await app.clock.move({ frozen: true })
  endpoint.answer(503)
  await caller.SendVoiceMessage({ body })
  await app.jobs.drain()
  const { log, stream: streamed, topic: published } = await destinations.received()
  expect([types(log), types(published), streamed]).toEqual([oneCall, oneCall, []])

  const attemptsAfter = async (ms: number) => {
    await app.clock.advance(ms)
    await app.jobs.drain()
    return endpoint.attempts()
  }
  let attempts = endpoint.attempts()
  expect(attempts).toBe(1)
  for (const pause of [1_000, 2_000, 4_000, 8_000]) {
    expect(await attemptsAfter(pause - 1), `before ${pause} ms`).toBe(attempts)
    expect(await attemptsAfter(1), `after ${pause} ms`).toBe(++attempts)
    await caller.SendVoiceMessage({ body }) // new events do not shorten the pause
    await app.jobs.drain()
    expect(endpoint.attempts()).toBe(attempts)
  }
  endpoint.answer(200)
  await attemptsAfter(16_000)
  expect(endpoint.accepted, 'all events in one batch').toHaveLength(1)
  const { log: logged, stream: late } = await destinations.received()
  expect(late, 'in the same order').toEqual(logged)
  expect(types(late)).toEqual([...oneCall, ...oneCall, ...oneCall, ...oneCall, ...oneCall])
  const remaining = await app.platform.database.one(sql`select count(*)::int as rows from voice_messaging.deliveries`)
  expect(remaining).toEqual({ rows: 0 })
})

test('a changed destination receives undelivered events immediately, a deleted one nothing', async () => {
  await using destinations = await startDestinations()
  await using other = await startDestinations()
  const streams = { calls: destinations.endpoint.url, better: other.endpoint.url }
  await using world = await startVoice({ ...destinations.settings, streams })
  const caller = await world.caller(destinations.tenant)
  await destinations.configure(caller)
  destinations.endpoint.answer(500)
  await caller.SendVoiceMessage({ body })
  await world.app.jobs.drain()
  const params = { ConfigurationSetName: 'calls', EventDestinationName: 'stream' }
  const change = (name: string, Enabled = true) =>
    caller.UpdateConfigurationSetEventDestination({ params, body: { EventDestination: { ...stream(name), Enabled } } })
  await change('better', false)
  await world.app.jobs.drain()
  expect(other.endpoint.events(), 'it waits while it is disabled').toEqual([])
  await change('better')
  await world.app.jobs.drain()
  expect(types(other.endpoint.events())).toEqual(oneCall)

  await change('calls')
  await caller.SendVoiceMessage({ body })
  await world.app.jobs.drain()
  await caller.DeleteConfigurationSetEventDestination({ params })
  destinations.endpoint.answer(200)
  await world.app.clock.advance(3_600_000)
  await world.app.jobs.drain()
  expect(destinations.endpoint.events()).toEqual([])
  expect(types((await destinations.received()).log)).toEqual([...oneCall, ...oneCall])
})

test('an event without subscribers on the broker waits for one', async () => {
  await using destinations = await startDestinations()
  await using world = await startVoice(destinations.settings)
  const caller = await world.caller(destinations.tenant)
  await caller.CreateConfigurationSet({ body: { ConfigurationSetName: body.ConfigurationSetName } })
  const EventDestination = topic('later')
  const params = { ConfigurationSetName: 'calls' }
  await caller.CreateConfigurationSetEventDestination({
    params,
    body: { EventDestinationName: 'topic', EventDestination },
  })
  await caller.SendVoiceMessage({ body })
  await world.app.jobs.drain()
  using nats = await natsClient('nats://127.0.0.1:4222')
  const received = await nats.subscribe(`voice.${destinations.tenant}.later`)
  await world.app.clock.advance(30_000)
  await world.app.jobs.drain()
  await nats.flush()
  expect(types(received().map(({ payload }) => JSON.parse(payload)))).toEqual(oneCall)
  const ids = received().map(({ headers }) => /Nats-Msg-Id: (\S+)/.exec(headers)?.[1])
  expect(ids).toEqual(received().map(({ payload }) => JSON.parse(payload).eventId))
})

test('a partial line of a killed writer does not corrupt the next', async () => {
  await using destinations = await startDestinations()
  await using world = await startVoice(destinations.settings)
  const caller = await world.caller(destinations.tenant)
  await destinations.configure(caller)
  await caller.SendVoiceMessage({ body })
  await world.app.jobs.drain()
  const file = join(destinations.settings.logs, destinations.tenant, '%2Fvoice%2Fcalls.log')
  await appendFile(file, '"half"') // valid JSON, so that the file can be parsed
  await caller.SendVoiceMessage({ body })
  await world.app.jobs.drain()
  const lines = await destinations.logged()
  expect(lines[4]).toBe('half')
  expect(types(lines.slice(5))).toEqual(oneCall)
})

test('a non-public address receives nothing', async () => {
  await using destinations = await startDestinations()
  // Tests may call 127.0.0.1. This is the same machine, but not allowed.
  const streams = { calls: destinations.endpoint.url.replace('127.0.0.1', '0.0.0.0') }
  expect((await fetch(streams.calls, { method: 'POST', body: '{"records":[]}' })).status).toBe(200)
  await using world = await startVoice({ ...destinations.settings, streams })
  const caller = await world.caller(destinations.tenant)
  await destinations.configure(caller)
  await caller.SendVoiceMessage({ body })
  await world.app.jobs.drain()
  expect(destinations.endpoint.attempts(), 'only the request above').toBe(1)
  expect(types((await destinations.received()).log)).toEqual(oneCall)
})

test('calls, recordings and undelivered events are deleted after two weeks', async () => {
  await using destinations = await startDestinations()
  await using world = await startVoice(destinations.settings)
  const caller = await world.caller(destinations.tenant)
  await destinations.configure(caller)
  destinations.endpoint.answer(500)
  await caller.SendVoiceMessage({ body })
  await world.app.jobs.drain()
  const counts = async () => {
    await world.app.jobs.drain()
    return world.app.platform.database.one(sql`select (select count(*)::int from voice_messaging.calls) as calls,
      (select count(*)::int from voice_messaging.events) as events,
      (select count(*)::int from voice_messaging.deliveries) as deliveries`)
  }
  const recordings = async () =>
    (await world.app.platform.blobs.list('voice-messaging/', { limit: 10 })).items.map(({ key }) => key)
  await world.app.clock.advance(13 * 86_400_000)
  expect(await counts()).toEqual({ calls: 1, events: 4, deliveries: 4 })
  expect(await recordings()).toHaveLength(1)
  await world.app.clock.advance(86_400_000 + 3_600_000)
  expect(await counts()).toEqual({ calls: 0, events: 0, deliveries: 0 })
  expect(await recordings()).toEqual([])
})
