import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { events } from '../commands/events.ts'
import { type EventApp, message, start } from '../testing/app.ts'
import { doing, hotAlarm, readingInput } from '../testing/models.ts'

let app: EventApp
beforeAll(async () => {
  app = await start({ targets: { 'sqs:known': 'https://queues.example/', 'firehose:*': 'https://streams.example/' } })
})
afterAll(() => app[Symbol.asyncDispose]())

const unconfigured = 'icosa-unconfigured-targets'
const alerts = { sns: { targetArn: 'arn:aws:sns:us-east-1:123456789012:alerts' } }
const notify = { lambda: { functionArn: 'notify' } }

test('what could not be delivered is listed, the latest first, page by page', async () => {
  const calls = await app.caller('lister')
  await calls.CreateInput({ body: readingInput })
  await calls.CreateDetectorModel({ body: doing('teller', [alerts, notify]) })
  await calls.CreateAlarmModel({ body: { ...hotAlarm, alarmEventActions: { alarmActions: [notify] } } })
  for (const sensor of ['a', 'b']) {
    await calls.BatchPutMessage({ body: { messages: [message('m1', 'Reading', { sensor, value: 50 })] } })
    await app.jobs.drain()
  }
  const { body } = await calls.ListDeliveryFailures({})
  expect(
    body.deliveryFailures.map(({ modelName, keyValue, action }) => `${modelName}/${keyValue} ${action}`).sort(),
  ).toEqual(['a', 'b'].flatMap((key) => [`hot/${key} lambda`, `teller/${key} lambda`, `teller/${key} sns`]).sort())
  expect(body.deliveryFailures.slice(0, 3).map(({ keyValue }) => keyValue)).toEqual(['b', 'b', 'b'])
  expect(body.deliveryFailures.find(({ action }) => action === 'sns')).toEqual({
    modelType: 'DETECTOR_MODEL',
    modelName: 'teller',
    modelVersion: '1',
    keyValue: 'b',
    action: 'sns',
    eventName: 'said',
    target: alerts.sns,
    reason: "Nothing is configured for 'sns:alerts': give it an address in the settings.",
    attempts: 1,
    deliveryId: expect.stringMatching(/^lister\./),
    time: expect.any(Number),
  })

  const seen: string[] = []
  for (let nextToken: string | undefined; ; ) {
    const page = await calls.ListDeliveryFailures({ query: { maxResults: 4, ...(nextToken && { nextToken }) } })
    seen.push(...page.body.deliveryFailures.map(({ deliveryId = '' }) => deliveryId))
    nextToken = page.body.nextToken
    if (!nextToken) break
  }
  expect(seen).toEqual(body.deliveryFailures.map(({ deliveryId }) => deliveryId))

  const ofOne = await calls.ListDeliveryFailures({ query: { modelName: 'hot', keyValue: 'a' } })
  expect(ofOne.body.deliveryFailures).toMatchObject([{ modelType: 'ALARM_MODEL', modelName: 'hot', keyValue: 'a' }])
  const other = await app.caller('other')
  expect((await other.ListDeliveryFailures({})).body.deliveryFailures).toEqual([])
})

test('icosa events failures prints them, the latest last', async () => {
  const calls = await app.caller('printer')
  await calls.CreateInput({ body: readingInput })
  await calls.CreateDetectorModel({ body: doing('teller', [alerts]) })
  const printed = async () => {
    const written: string[] = []
    using _ = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    const { database: db, vault } = app.platform
    const facts = { baseUrl: app.url, region: 'us-east-1', scratchDirectory: '', hasDevelopmentDatabase: true }
    const settings = { targets: {} }
    await events.run({
      note() {},
      ...{ words: ['failures'], flags: { tenant: 'printer' }, settings, facts },
      withDatabase: (work) => work(db),
      vaultOf: async () => vault,
      readPermissions: async (words) => [words],
      openFetch: () => Promise.reject(new Error('It asks no other server.')),
    })
    return written.join('')
  }
  expect(await printed()).toBe('')
  await calls.BatchPutMessage({ body: { messages: [message('m1', 'Reading', { sensor: 'a', value: 50 })] } })
  await app.jobs.drain()
  expect(await printed()).toMatch(
    /teller\/a {2}sns .*alerts.* was not delivered: Nothing is configured for 'sns:alerts'/,
  )
})

test('a model is told which of its targets have no address when it is made', async () => {
  const calls = await app.caller('maker')
  await calls.CreateInput({ body: readingInput })
  const made = await calls.CreateDetectorModel({
    body: doing('teller', [
      alerts,
      notify,
      { sqs: { queueUrl: 'https://sqs.example/known' } },
      { sqs: { queueUrl: 'https://sqs.example/unknown' } },
      { firehose: { deliveryStreamName: 'any' } },
      { iotEvents: { inputName: 'Reading' } },
    ]),
  })
  expect(made.headers.get(unconfigured)).toBe('sns:alerts, lambda:notify, sqs:unknown')
  const params = { detectorModelName: 'teller' }
  const { detectorModelName: _, key: __, ...fine } = doing('teller', [{ firehose: { deliveryStreamName: 'any' } }])
  const updated = await calls.UpdateDetectorModel({ params, body: fine })
  expect(updated.headers.get(unconfigured)).toBeNull()

  const alarmNotification = { notificationActions: [{ action: { lambdaAction: { functionArn: 'mailer' } } }] }
  const alarmEventActions = { alarmActions: [alerts] }
  const alarm = await calls.CreateAlarmModel({ body: { ...hotAlarm, alarmNotification, alarmEventActions } })
  expect(alarm.headers.get(unconfigured)).toBe('sns:alerts, lambda:mailer')
})

test('a name that messages decide is unconfigured only if its kind has no address at all', async () => {
  const calls = await app.caller('namer')
  await calls.CreateInput({ body: readingInput })
  const sensor = `\${$input.Reading.sensor}`
  const topic = (name: string) => ({ iotTopicPublish: { mqttTopic: name } })
  const made = await calls.CreateDetectorModel({
    body: doing('teller', [
      topic(`'rooms/${sensor}'`),
      { sqs: { queueUrl: `'https://sqs.example/${sensor}'` } },
      { dynamoDBv2: { tableName: "'readings'" } },
    ]),
  })
  expect(made.headers.get(unconfigured)).toBe('iotTopicPublish:*, dynamoDBv2:readings')
})

test('an analysis warns of them, and refuses nothing', async () => {
  const calls = await app.caller('analyst')
  await calls.CreateInput({ body: readingInput })
  const { detectorModelDefinition } = doing('teller', [alerts])
  const { body } = await calls.StartDetectorModelAnalysis({ body: { detectorModelDefinition } })
  const results = await calls.GetDetectorModelAnalysisResults({ params: body })
  expect(results.body.analysisResults).toContainEqual({
    type: 'referenced-resource',
    level: 'WARNING',
    message: "Nothing is configured for 'sns:alerts': what is sent there will not be delivered.",
    locations: [{ path: expect.stringMatching(/^states\[0\]\..*actions\[0\]\.sns$/) }],
  })
})
