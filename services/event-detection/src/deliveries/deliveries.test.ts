import { randomUUID } from 'node:crypto'
import { natsClient } from '@icosa/brokers/testing'
import { expect, test } from 'vitest'
import { settings } from '../settings.ts'
import { type Calls, type EventApp, message, start } from '../testing/app.ts'
import { failuresOf } from '../testing/journal-store.ts'
import { doing, hotAlarm, readingInput } from '../testing/models.ts'
import { startReceiver } from '../testing/receiver.ts'

const nats = 'nats://127.0.0.1:4222'

/** A template placeholder for a value of the message. */
const placeholder = (path: string) => `\${$input.Reading.${path}}`

async function startModel(app: EventApp, tenant: string, body: ReturnType<typeof doing>): Promise<Calls> {
  const calls = await app.caller(tenant)
  await calls.CreateInput({ body: readingInput })
  await calls.CreateDetectorModel({ body })
  return calls
}

const sendReading = (calls: Calls, sensor: string, value: number) =>
  calls.BatchPutMessage({ body: { messages: [message('m1', 'Reading', { sensor, value })] } })

test('deliveries reach the configured functions, topics and queues', async () => {
  await using receiver = await startReceiver()
  using broker = await natsClient(nats)
  await using app = await start({
    targets: {
      'lambda:notify': `${receiver.url}/notify`,
      'sqs:*': `${receiver.url}/queues/{name}`,
      'sns:alerts': nats,
    },
  })
  const tenant = `t-${randomUUID()}` // others may use the same broker
  const topic = await broker.subscribe(`events.${tenant}.sns.alerts`)
  const payload = { contentExpression: `'value ${placeholder('value')}'`, type: 'STRING' as const }
  const calls = await startModel(
    app,
    tenant,
    doing('all', [
      { lambda: { functionArn: 'arn:aws:lambda:us-east-1:123456789012:function:notify' } },
      { sqs: { queueUrl: 'https://sqs.us-east-1.amazonaws.com/123/orders', useBase64: true, payload } },
      { sns: { targetArn: 'arn:aws:sns:us-east-1:123456789012:alerts', payload } },
    ]),
  )
  await sendReading(calls, 'a', 5)
  await app.jobs.drain()
  await broker.flush()

  const [called, queued] = receiver.received.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  expect(called).toMatchObject({
    path: '/notify',
    headers: { 'content-type': 'application/json', 'icosa-action': 'lambda', 'icosa-event-name': 'said' },
  })
  expect(JSON.parse(called?.body ?? '')).toMatchObject({
    eventName: 'said',
    payload: {
      detector: { detectorModelName: 'all', keyValue: 'a' },
      eventTriggerDetails: { inputName: 'Reading', messageId: 'm1', triggerType: 'Message' },
    },
  })
  expect(queued).toMatchObject({ path: '/queues/orders', body: Buffer.from('value 5').toString('base64') })
  expect(topic()).toMatchObject([{ payload: 'value 5', headers: expect.stringContaining('Icosa-Action: sns') }])
  expect(await failuresOf(app.platform.database, tenant)).toEqual([])
})

test('unconfigured and failed deliveries are recorded with a reason', async () => {
  await using receiver = await startReceiver()
  await using app = await start({ targets: { 'lambda:*': receiver.url, 'firehose:*': 'nats://127.0.0.1:1' } })
  const calls = await startModel(
    app,
    'acme',
    doing('all', [
      { sns: { targetArn: 'arn:aws:sns:us-east-1:123456789012:alerts' } },
      { lambda: { functionArn: 'flaky' } },
      { firehose: { deliveryStreamName: 'stream' } },
    ]),
  )
  receiver.answer(500, 503)
  await sendReading(calls, 'a', 5)
  for (let attempt = 0; attempt < 9; attempt++) {
    await app.jobs.drain()
    await app.clock.advance(5 * 3_600_000)
  }
  const ids = receiver.received.map(({ headers }) => headers['icosa-delivery-id'])
  expect(ids, 'retried until accepted, with one id').toEqual([ids[0], ids[0], ids[0]])
  expect(await failuresOf(app.platform.database, 'acme')).toMatchObject([
    { action: 'sns', attempts: 1, reason: expect.stringContaining("No address is configured for 'sns:alerts'") },
    { action: 'firehose', attempts: 8, reason: expect.stringContaining('cannot be reached') },
  ])
})

test('a delivery refused by the receiver is recorded and not retried', async () => {
  await using receiver = await startReceiver()
  await using app = await start({ targets: { 'lambda:*': receiver.url } })
  const calls = await startModel(app, 'acme', doing('all', [{ lambda: { functionArn: 'missing' } }]))
  receiver.answer(404)
  await sendReading(calls, 'a', 5)
  await app.jobs.drain()
  await app.clock.advance(5 * 3_600_000)
  await app.jobs.drain()
  expect(receiver.received).toHaveLength(1)
  expect(await failuresOf(app.platform.database, 'acme')).toMatchObject([
    { action: 'lambda', attempts: 1, reason: expect.stringContaining('answered HTTP 404 Not Found') },
  ])
})

test('an alarm sends its state changes, by data and by user actions', async () => {
  await using receiver = await startReceiver()
  await using app = await start({ targets: { 'lambda:*': receiver.url } })
  const calls = await app.caller()
  await calls.CreateInput({ body: readingInput })
  const alarmEventActions = { alarmActions: [{ lambda: { functionArn: 'notified' } }] }
  await calls.CreateAlarmModel({ body: { ...hotAlarm, alarmEventActions } })
  await sendReading(calls, 'a', 50)
  await app.jobs.drain()
  await calls.BatchResetAlarm({
    body: { resetActionRequests: [{ requestId: 'r', alarmModelName: 'hot', keyValue: 'a', note: 'done' }] },
  })
  await app.jobs.drain()
  const states = receiver.received.map(({ body }) => JSON.parse(body).alarmState)
  expect(states).toMatchObject([
    { stateName: 'ACTIVE' },
    { stateName: 'NORMAL', customerAction: { actionName: 'RESET', resetActionConfiguration: { note: 'done' } } },
  ])
})

test('an action can publish to an input, and loops of models are stopped', async () => {
  await using app = await start()
  const contentExpression = `'{"sensor":"${placeholder('sensor')}","value":${placeholder('value + 1')}}'`
  const payload = { contentExpression, type: 'JSON' as const }
  const calls = await startModel(
    app,
    'acme',
    doing('echo', [
      { setVariable: { variableName: 'last', value: '$input.Reading.value' } },
      { iotEvents: { inputName: 'Reading', payload } },
    ]),
  )
  await sendReading(calls, 'a', 0)
  await app.jobs.drain()
  const { body } = await calls.DescribeDetector({ params: { detectorModelName: 'echo' }, query: { keyValue: 'a' } })
  expect(body.detector.state.variables).toEqual([{ name: 'last', value: '10' }])
  expect(await failuresOf(app.platform.database, 'acme')).toMatchObject([
    { action: 'iotEvents', reason: expect.stringContaining('feed each other') },
  ])
})

test('a payload published to an input must be a valid message', async () => {
  await using app = await start()
  const payload = { contentExpression: "'no json'", type: 'STRING' as const }
  const calls = await startModel(app, 'acme', doing('wrong', [{ iotEvents: { inputName: 'Reading', payload } }]))
  await sendReading(calls, 'a', 0)
  await app.jobs.drain()
  expect(await failuresOf(app.platform.database, 'acme')).toMatchObject([
    { action: 'iotEvents', target: { inputName: 'Reading' }, reason: 'The payload is not a JSON object.' },
  ])
})

test('invalid addresses are refused at startup', () => {
  const withTargets = (targets: unknown) => () => settings.read({ ICOSA_EVENT_TARGETS: JSON.stringify(targets) })
  expect(withTargets({ 'sns:a': 'nats://127.0.0.1', 'lambda:*': 'https://example.com/{name}' })).not.toThrow()
  expect(withTargets({ 'sns:a': 'ftp://me:secret@example.com' })).toThrow('the address of sns:a is neither')
  expect(withTargets({ 'sns:a': 'ftp://me:secret@example.com' })).not.toThrow('me:secret')
  expect(withTargets({ lambda: 'https://example.com' })).toThrow("'lambda' is not a target such as sns:alerts")
  expect(withTargets({ 'topic:a': 'https://example.com' })).toThrow("'topic:a'")
  expect(withTargets(['sns:a'])).toThrow('an object of JSON')
})
