import { text } from 'node:stream/consumers'
import { accountOf } from '@icosa/dialects/signed/arn'
import { ownBlobs, sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordingKey } from '../lines/sink.ts'
import { readWav } from '../speech/wav.ts'
import { type Caller, hello, refusal, startVoice, type World } from '../testing/app.ts'

let world: World
let acme: Caller
beforeAll(async () => {
  world = await startVoice({ rate: { perSecond: 2, burst: 30 } })
  acme = await world.caller()
})
afterAll(() => world[Symbol.asyncDispose]())

const send = (body: object, caller = acme) => caller.SendVoiceMessage({ body: { ...hello, ...body } })

async function recordingOf(messageId: string, tenant = 'acme') {
  const { body } = await ownBlobs(world.app.platform.blobs, 'voice-messaging', tenant).get(recordingKey(messageId))
  const wav = readWav(Buffer.from(await text(body.setEncoding('latin1')), 'latin1'))
  return { seconds: (wav?.samples.length ?? 0) / 8_000, loudest: Math.max(...(wav?.samples ?? [])) }
}

async function eventsOf(messageId: string) {
  const rows = await world.app.platform.database.many<{ body: Record<string, unknown> }>(sql`
    select body from voice_messaging.events where call_id = ${messageId} order by number`)
  return rows.map(({ body }) => body)
}

test('without a trunk a call is answered by a sink that records the audio', async () => {
  const { status, body } = await send({ CallerId: '+12065550199' })
  expect(status).toBe(200)
  expect(body.MessageId).toMatch(/^[\da-f-]{36}$/)
  await world.app.jobs.drain()
  const { seconds, loudest } = await recordingOf(body.MessageId)
  expect(seconds).toBeGreaterThan(1)
  expect(loudest).toBeGreaterThan(3_000)
  const events = await eventsOf(body.MessageId)
  expect(events.map(({ eventType, isFinal }) => [eventType, isFinal])).toEqual([
    ['INITIATED_CALL', false],
    ['RINGING', false],
    ['ANSWERED', false],
    ['COMPLETED_CALL', true],
  ])
  expect(events[3]).toMatchObject({
    accountId: accountOf('acme'),
    messageId: body.MessageId,
    destinationPhoneNumber: '+493012345678',
    originationPhoneNumber: '+12065550100',
    callerId: '+12065550199',
    attempt: 1,
    durationInSeconds: Math.round(seconds * 100) / 100,
  })
  const row = await world.app.platform.database.one(sql`
    select state, speech, shift, attempts, events from voice_messaging.calls where id = ${body.MessageId}`)
  expect(row, 'the text is deleted').toEqual({
    state: 'completed',
    speech: null,
    shift: null,
    attempts: 1,
    events: 4,
  })
})

test('SSML and call instructions are spoken with their breaks', async () => {
  const ids = []
  for (const Content of [
    { SSMLMessage: { Text: '<speak>One, two.</speak>', LanguageCode: 'de-DE', VoiceId: 'Hans' } },
    { SSMLMessage: { Text: '<speak>One, <break time="3s"/>two.</speak>', LanguageCode: 'de-DE' } },
    { CallInstructionsMessage: { Text: 'One, <break time="3s"/>two.' } },
  ])
    ids.push((await send({ Content })).body.MessageId)
  await world.app.jobs.drain()
  const [short = 0, long = 0, instructed = 0] = await Promise.all(
    ids.map(async (id) => (await recordingOf(id)).seconds),
  )
  for (const seconds of [long, instructed]) expect(seconds - short).toBeGreaterThan(2.5)
  for (const seconds of [long, instructed]) expect(seconds - short).toBeLessThan(3.6)
})

test.each([
  [{ DestinationPhoneNumber: undefined }, /DestinationPhoneNumber is required/],
  [{ DestinationPhoneNumber: '555-0101' }, /DestinationPhoneNumber/],
  [{ DestinationPhoneNumber: '+0123' }, /DestinationPhoneNumber/],
  [{ DestinationPhoneNumber: '+1234567890123456' }, /DestinationPhoneNumber/],
  [{ DestinationPhoneNumber: '+1\r\nTo: <sip:x>' }, /DestinationPhoneNumber/],
  [{ OriginationPhoneNumber: '12065550100' }, /OriginationPhoneNumber/],
  [{ CallerId: 'Icosa' }, /CallerId/],
  [{ ConfigurationSetName: 'unknown' }, /ConfigurationSetName 'unknown' does not exist/],
  [{ ConfigurationSetName: 'a b' }, /ConfigurationSetName/],
  [{ Content: undefined }, /Content must have exactly one of/],
  [{ Content: {} }, /Content must have exactly one of/],
  [{ Content: { PlainTextMessage: { Text: 'a' }, SSMLMessage: { Text: '<speak/>' } } }, /exactly one of/],
  [{ Content: { PlainTextMessage: {} } }, /PlainTextMessage\/Text is required/],
  [{ Content: { PlainTextMessage: { Text: '' } } }, /Text/],
  [{ Content: { PlainTextMessage: { Text: 'a\u0000' } } }, /NUL/],
  [{ Content: { PlainTextMessage: { Text: '\ud800' } } }, /unpaired surrogate/],
  [{ Content: { PlainTextMessage: { Text: 'a'.repeat(6_001) } } }, /Text/],
  [{ Content: { PlainTextMessage: { Text: 'a', LanguageCode: 'xx-XX' } } }, /'xx-XX' is not a supported language/],
  [{ Content: { PlainTextMessage: { Text: 'a', VoiceId: 'Nobody' } } }, /'Nobody' is not a known voice/],
  [{ Content: { SSMLMessage: { Text: 'a' } } }, /SSMLMessage\/Text is not well-formed/],
  [{ Content: { SSMLMessage: { Text: '<speak><audio src="x"/></speak>' } } }, /<audio>, which is not supported/],
  [{ Content: { CallInstructionsMessage: { Text: 'Press <one' } } }, /not well-formed/],
])('%j is refused', async (body, message) => {
  await expect(send(body)).rejects.toMatchObject(refusal(400, 'BadRequestException', message))
})

test('an account is limited to a burst and then a rate, independently of others', async () => {
  const eager = await world.caller('eager')
  const burst = await Promise.allSettled(Array.from({ length: 40 }, () => send({}, eager)))
  const refused = burst.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  // The allowance grows while the test sends its requests.
  expect(refused.length).toBeGreaterThan(5)
  expect(refused.length).toBeLessThanOrEqual(10)
  for (const reason of refused) {
    expect(reason).toMatchObject(refusal(429, 'TooManyRequestsException', /2 messages a second/))
    expect(Number(reason.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  expect((await send({}, await world.caller('calm'))).status).toBe(200)
  await world.app.clock.advance(5_000)
  const after = await Promise.allSettled(Array.from({ length: 20 }, () => send({}, eager)))
  const accepted = after.filter(({ status }) => status === 'fulfilled').length
  expect(accepted).toBeGreaterThanOrEqual(10)
  expect(accepted).toBeLessThan(15)
})
