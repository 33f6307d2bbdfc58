import { once } from 'node:events'
import { sql } from '@icosa/kernel'
import { expireClaims } from '@icosa/testing'
import { expect, test } from 'vitest'
import { hello, startVoice } from '../testing/app.ts'
import { type ReceivedEvent, startDestinations } from '../testing/destinations.ts'
import { startWorkers } from '../testing/workers.ts'

const count = 40

test('a worker killed during calls and deliveries loses no event at any destination', {
  timeout: 120_000,
}, async () => {
  await using destinations = await startDestinations()
  await using world = await startVoice(destinations.settings)
  const { app } = world
  await using workers = await startWorkers(app.databaseUrl, destinations.settings)
  const { database } = app.platform
  const caller = await world.caller(destinations.tenant)
  await destinations.configure(caller)
  destinations.endpoint.answer(503)
  const worker = await workers.start()
  const body = { ...hello, ConfigurationSetName: 'calls' }
  const ids = await Promise.all(
    Array.from({ length: count }, async () => (await caller.SendVoiceMessage({ body })).body.MessageId),
  )
  await expect
    .poll(async () => (await destinations.logged()).length, { timeout: 30_000, interval: 5 })
    .toBeGreaterThan(20)
  worker.kill('SIGKILL')
  await once(worker, 'exit')
  await expireClaims(app.platform.database)
  await workers.start()
  destinations.endpoint.answer(200)

  const countRemaining = async () => {
    await app.clock.advance(5_000) // past pauses
    const { remaining } = await database.one<{ remaining: number }>(sql`
      select (select count(*) from voice_messaging.calls where speech is not null)::int
        + (select count(*) from voice_messaging.deliveries)::int as remaining`)
    return remaining
  }
  await expect.poll(countRemaining, { timeout: 90_000, interval: 300 }).toBe(0)

  const stored = await database.many<ReceivedEvent>(sql`
    select id as "eventId", call_id as "messageId", type from voice_messaging.events order by call_id, number`)
  expect(new Set(stored.map(({ messageId }) => messageId))).toEqual(new Set(ids))
  expect(stored.filter(({ type }) => type === 'COMPLETED_CALL')).toHaveLength(count)
  const failed = stored.filter(({ type }) => type === 'FAILED').length
  for (const [place, received] of Object.entries(await destinations.received())) {
    const distinct = [...new Map(received.map((event) => [event.eventId, event])).values()]
    console.log(
      `${place}: ${distinct.length} events, ${received.length - distinct.length} of them twice; ${failed} calls were cut off`,
    )
    expect(new Set(distinct.map(({ eventId }) => eventId)), place).toEqual(
      new Set(stored.map(({ eventId }) => eventId)),
    )
    const orderOf = (events: readonly ReceivedEvent[]) =>
      Map.groupBy(
        events.map(({ messageId, eventId }) => ({ messageId, eventId })),
        ({ messageId }) => messageId,
      )
    expect(orderOf(distinct), `${place} in order`).toEqual(orderOf(stored))
  }
})
