import { once } from 'node:events'
import { sql } from '@icosa/kernel'
import { expireClaims } from '@icosa/testing'
import { expect, test } from 'vitest'
import { hello, startVoice } from '../testing/app.ts'
import { type HeardEvent, startDestinations } from '../testing/destinations.ts'
import { startWorkers } from '../testing/workers.ts'

const count = 40

test('a worker that is killed amid calls and deliveries loses no event, at any destination', {
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

  const over = async () => {
    await app.clock.advance(5_000) // so that pauses pass
    const { left } = await database.one<{ left: number }>(sql`
      select (select count(*) from voice_messaging.calls where speech is not null)::int
        + (select count(*) from voice_messaging.deliveries)::int as left`)
    return left
  }
  await expect.poll(over, { timeout: 90_000, interval: 300 }).toBe(0)

  const written = await database.many<HeardEvent>(sql`
    select id as "eventId", call_id as "messageId", type from voice_messaging.events order by call_id, number`)
  expect(new Set(written.map(({ messageId }) => messageId))).toEqual(new Set(ids))
  expect(written.filter(({ type }) => type === 'COMPLETED_CALL')).toHaveLength(count)
  const lost = written.filter(({ type }) => type === 'FAILED').length
  for (const [place, heard] of Object.entries(await destinations.heard())) {
    const first = [...new Map(heard.map((event) => [event.eventId, event])).values()]
    console.log(
      `${place}: ${first.length} events, ${heard.length - first.length} of them twice; ${lost} calls were cut off`,
    )
    expect(new Set(first.map(({ eventId }) => eventId)), place).toEqual(new Set(written.map(({ eventId }) => eventId)))
    const orderOf = (events: readonly HeardEvent[]) =>
      Map.groupBy(
        events.map(({ messageId, eventId }) => ({ messageId, eventId })),
        ({ messageId }) => messageId,
      )
    expect(orderOf(first), `${place} in order`).toEqual(orderOf(written))
  }
})
