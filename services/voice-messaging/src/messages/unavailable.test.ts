import { buffer } from 'node:stream/consumers'
import { ownBlobs, sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { recordingKey } from '../lines/sink.ts'
import { readWav } from '../speech/wav.ts'
import { hello, refusal, startVoice, type World } from '../testing/app.ts'

const count = (world: World) =>
  world.app.platform.database.one(sql`select count(*)::int as calls from voice_messaging.calls`)
const bodies = (world: World) =>
  world.app.platform.database.many<{ body: Record<string, unknown> }>(sql`
    select body from voice_messaging.events order by happened_at, number`)

test('without a trunk a message is refused and not stored', async () => {
  await using world = await startVoice({ simulate: false })
  const acme = await world.caller()
  await expect(acme.SendVoiceMessage({ body: hello })).rejects.toMatchObject(
    refusal(503, 'ServiceUnavailableException', /ICOSA_VOICE_TRUNK/),
  )
  await expect(acme.SendVoiceMessage({ body: {} }), 'validation errors come first').rejects.toMatchObject({
    status: 400,
  })
  expect(await count(world)).toEqual({ calls: 0 })
})

test('without the engine a message is refused immediately', async () => {
  await using world = await startVoice({ engine: 'no-such-engine' })
  const acme = await world.caller()
  await expect(acme.SendVoiceMessage({ body: hello })).rejects.toMatchObject(
    refusal(503, 'ServiceUnavailableException', /no-such-engine is not installed/),
  )
  expect(await count(world)).toEqual({ calls: 0 })
})

test('a simulated call is marked in every event and in its recording', async () => {
  await using world = await startVoice({ simulate: true })
  const { body } = await (await world.caller()).SendVoiceMessage({ body: hello })
  await world.app.jobs.drain()
  const events = await bodies(world)
  expect(events).toHaveLength(4)
  for (const event of events) expect(event.body).toMatchObject({ simulated: true })
  const recording = await ownBlobs(world.app.platform.blobs, 'voice-messaging', 'acme').get(
    recordingKey(body.MessageId),
  )
  const wav = await buffer(recording.body)
  expect(wav.toString('latin1')).toContain('A simulated call: nobody was called.')
  expect(readWav(wav)?.samples.length).toBeGreaterThan(8_000)
})

test('a waiting call fails with a reason after the trunk is removed', async () => {
  await using world = await startVoice({ simulate: false, retrySeconds: [] })
  const now = world.app.platform.clock.now()
  await world.app.platform.database.run(sql`
    insert into voice_messaging.calls (tenant, id, number, speech, state, due_at, created_at, updated_at)
    values ('acme', gen_random_uuid(), '+493012345678', '{"ssml":"<speak>Hello</speak>","voice":"en-us"}', 'waiting',
      ${now}, ${now}, ${now})`)
  await world.app.clock.advance(20_000)
  await expect
    .poll(async () => {
      await world.app.jobs.drain()
      return (await bodies(world)).map(({ body: { eventType, reason } }) => [eventType, reason])
    })
    .toEqual([['FAILED', expect.stringContaining('ICOSA_VOICE_TRUNK')]])
})
