import { accountOf } from '@icosa/dialects/signed/arn'
import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { hello, startVoice } from '../testing/app.ts'
import { type ReceivedEvent, startDestinations } from '../testing/destinations.ts'
import { startListener } from '../testing/listener.ts'
import { hangUp, receive, respond, ringsUntilCancelled, saveAddresses, startPhone, wait } from '../testing/sipp.ts'

const busy = [receive('INVITE'), respond(486, 'Busy Here', { retransmitMs: 500 }), receive('ACK')]
const hangsUp = (mediaPort: number) => [
  receive('INVITE', saveAddresses),
  respond(180, 'Ringing'),
  respond(200, 'OK', { mediaPort, retransmitMs: 500 }),
  receive('ACK'),
  wait(300),
  hangUp(),
  '<recv response="200"></recv>',
]

const summary = (events: readonly ReceivedEvent[]) =>
  events.map(({ eventType, attempt, isFinal }) => `${eventType} ${attempt}${isFinal ? ' final' : ''}`)

test('a busy callee is called again after pauses, and every destination receives the events of every attempt', async () => {
  await using destinations = await startDestinations()
  await using phone = await startPhone(busy, 3)
  await using world = await startVoice({ ...destinations.settings, trunk: { host: '127.0.0.1', port: phone.port } })
  const { app } = world
  const caller = await world.caller(destinations.tenant)
  await destinations.configure(caller)
  await app.clock.move({ frozen: true })
  const { body } = await caller.SendVoiceMessage({ body: { ...hello, ConfigurationSetName: 'calls' } })
  const attempts = async () => {
    await app.jobs.drain()
    return summary((await destinations.received()).stream)
  }
  expect(await attempts()).toEqual(['INITIATED_CALL 1', 'BUSY 1'])
  await app.clock.advance(59_999)
  expect(await attempts(), 'not before its time').toHaveLength(2)
  await app.clock.advance(1)
  expect(await attempts()).toHaveLength(4)
  await app.clock.advance(299_999)
  expect(await attempts(), 'not before its time').toHaveLength(4)
  await app.clock.advance(1)
  const all = ['INITIATED_CALL 1', 'BUSY 1', 'INITIATED_CALL 2', 'BUSY 2', 'INITIATED_CALL 3', 'BUSY 3 final']
  expect(await attempts()).toEqual(all)
  await app.clock.advance(3_600_000)
  expect(await attempts(), 'and no more').toHaveLength(6)
  await phone.ended

  const { log, stream, topic } = await destinations.received()
  for (const received of [log, topic]) expect(received).toEqual(stream)
  expect(new Set(stream.map(({ eventId }) => eventId)).size, 'each event has its own id').toBe(6)
  expect(stream[1]).toMatchObject({
    eventType: 'BUSY',
    messageId: body.MessageId,
    configurationSetName: 'calls',
    accountId: accountOf(destinations.tenant),
    reason: '486 Busy Here',
  })
  const [batch] = destinations.endpoint.accepted
  expect(batch?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-amz-firehose-protocol-version': '1.0',
    'x-amz-firehose-request-id': batch?.requestId,
    'x-amz-firehose-source-arn': 'arn:aws:firehose:us-east-1:acme:deliverystream/calls',
  })
})

test('every destination is notified when nobody answers or the callee hangs up', async () => {
  await using listener = await startListener()
  for (const [steps, expected, detail] of [
    [
      ringsUntilCancelled,
      ['INITIATED_CALL 1', 'RINGING 1', 'NO_ANSWER 1 final'],
      { reason: 'Nobody answered in time.' },
    ],
    [
      hangsUp(listener.port),
      ['INITIATED_CALL 1', 'RINGING 1', 'ANSWERED 1', 'COMPLETED_CALL 1 final'],
      { endedBy: 'callee' },
    ],
  ] as const) {
    await using destinations = await startDestinations()
    await using phone = await startPhone(steps)
    const trunk = { host: '127.0.0.1', port: phone.port }
    await using world = await startVoice({ ...destinations.settings, trunk, ringSeconds: 1, retrySeconds: [] })
    const caller = await world.caller(destinations.tenant)
    await destinations.configure(caller)
    await caller.SendVoiceMessage({ body: { ...hello, ConfigurationSetName: 'calls' } })
    await world.app.jobs.drain()
    await phone.ended
    for (const events of Object.values(await destinations.received())) {
      expect(summary(events)).toEqual(expected)
      expect(events.at(-1)).toMatchObject(detail)
    }
  }
})

test('a number that does not exist is called once', async () => {
  await using phone = await startPhone([
    receive('INVITE'),
    respond(404, 'Not Found', { retransmitMs: 500 }),
    receive('ACK'),
  ])
  await using world = await startVoice({ trunk: { host: '127.0.0.1', port: phone.port } })
  const { MessageId } = (await (await world.caller()).SendVoiceMessage({ body: hello })).body
  await world.app.jobs.drain()
  await phone.ended
  const { database } = world.app.platform
  const call = sql`select state, attempts from voice_messaging.calls where id = ${MessageId}`
  expect(await database.one(call)).toEqual({ state: 'failed', attempts: 1 })
})

test('enabled destinations receive the event types that they subscribed to', async () => {
  await using destinations = await startDestinations()
  await using world = await startVoice(destinations.settings)
  const caller = await world.caller(destinations.tenant)
  await destinations.configure(caller, { MatchingEventTypes: ['ANSWERED', 'BUSY'] })
  const params = { ConfigurationSetName: 'calls', EventDestinationName: 'log' }
  const logs = { CloudWatchLogsDestination: { LogGroupArn: 'arn:aws:logs:us-east-1:acme:log-group:/voice/calls:*' } }
  const change = (definition: object) =>
    caller.UpdateConfigurationSetEventDestination({ params, body: { EventDestination: { ...logs, ...definition } } })
  const send = async () => {
    await caller.SendVoiceMessage({ body: { ...hello, ConfigurationSetName: 'calls' } })
    await caller.SendVoiceMessage({ body: hello }) // without destinations
    await world.app.jobs.drain()
    return summary(await destinations.logged())
  }
  expect(await send()).toEqual(['ANSWERED 1'])
  await change({ Enabled: false })
  expect(await send()).toEqual(['ANSWERED 1'])
  await change({ MatchingEventTypes: ['COMPLETED_CALL'] })
  expect(await send()).toEqual(['ANSWERED 1', 'COMPLETED_CALL 1 final'])
  expect(summary((await destinations.received()).topic)).toEqual(['ANSWERED 1', 'ANSWERED 1', 'ANSWERED 1'])
})
