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

test('failed deliveries are listed with paging, newest first', async () => {
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
    reason: "No address is configured for 'sns:alerts': add it to the settings.",
    attempts: 1,
    deliveryId: expect.stringMatching(/^lister\./),
    time: expect.any(Number),
  })

  const ids: string[] = []
  for (let nextToken: string | undefined; ; ) {
    const page = await calls.ListDeliveryFailures({ query: { maxResults: 4, ...(nextToken && { nextToken }) } })
    ids.push(...page.body.deliveryFailures.map(({ deliveryId = '' }) => deliveryId))
    nextToken = page.body.nextToken
    if (!nextToken) break
  }
  expect(ids).toEqual(body.deliveryFailures.map(({ deliveryId }) => deliveryId))

  const filtered = await calls.ListDeliveryFailures({ query: { modelName: 'hot', keyValue: 'a' } })
  expect(filtered.body.deliveryFailures).toMatchObject([{ modelType: 'ALARM_MODEL', modelName: 'hot', keyValue: 'a' }])
  const other = await app.caller('other')
  expect((await other.ListDeliveryFailures({})).body.deliveryFailures).toEqual([])
})

test('icosa events failures prints them, newest last', async () => {
  const calls = await app.caller('printer')
  await calls.CreateInput({ body: readingInput })
  await calls.CreateDetectorModel({ body: doing('teller', [alerts]) })
  const printFailures = async () => {
    const output: string[] = []
    using _ = vi.spyOn(process.stdout, 'write').mockImplementation((text) => output.push(String(text)) > 0)
    const { database: db, cellVault } = app.platform
    const facts = { baseUrl: app.url, region: 'us-east-1', scratchDirectory: '', hasDevelopmentDatabase: true }
    const settings = { targets: {} }
    await events.run({
      note() {},
      ...{ words: ['failures'], flags: { tenant: 'printer' }, settings, facts },
      withDatabase: (work) => work(db),
      vaultOf: async () => cellVault,
      readPermissions: async (words) => [words],
      openFetch: () => Promise.reject(new Error('Unexpected fetch.')),
    })
    return output.join('')
  }
  expect(await printFailures()).toBe('')
  await calls.BatchPutMessage({ body: { messages: [message('m1', 'Reading', { sensor: 'a', value: 50 })] } })
  await app.jobs.drain()
  expect(await printFailures()).toMatch(
    /teller\/a {2}sns .*alerts.* was not delivered: No address is configured for 'sns:alerts'/,
  )
})

test('creating and updating a model reports targets without an address', async () => {
  const calls = await app.caller('maker')
  await calls.CreateInput({ body: readingInput })
  const response = await calls.CreateDetectorModel({
    body: doing('teller', [
      alerts,
      notify,
      { sqs: { queueUrl: 'https://sqs.example/known' } },
      { sqs: { queueUrl: 'https://sqs.example/unknown' } },
      { firehose: { deliveryStreamName: 'any' } },
      { iotEvents: { inputName: 'Reading' } },
    ]),
  })
  expect(response.headers.get(unconfigured)).toBe('sns:alerts, lambda:notify, sqs:unknown')
  const params = { detectorModelName: 'teller' }
  const { detectorModelName: _, key: __, ...fine } = doing('teller', [{ firehose: { deliveryStreamName: 'any' } }])
  const updated = await calls.UpdateDetectorModel({ params, body: fine })
  expect(updated.headers.get(unconfigured)).toBeNull()

  const alarmNotification = { notificationActions: [{ action: { lambdaAction: { functionArn: 'mailer' } } }] }
  const alarmEventActions = { alarmActions: [alerts] }
  const alarm = await calls.CreateAlarmModel({ body: { ...hotAlarm, alarmNotification, alarmEventActions } })
  expect(alarm.headers.get(unconfigured)).toBe('sns:alerts, lambda:mailer')
})

test('a computed name is unconfigured only if its kind has no address at all', async () => {
  const calls = await app.caller('namer')
  await calls.CreateInput({ body: readingInput })
  const sensor = `\${$input.Reading.sensor}`
  const topic = (name: string) => ({ iotTopicPublish: { mqttTopic: name } })
  const response = await calls.CreateDetectorModel({
    body: doing('teller', [
      topic(`'rooms/${sensor}'`),
      { sqs: { queueUrl: `'https://sqs.example/${sensor}'` } },
      { dynamoDBv2: { tableName: "'readings'" } },
    ]),
  })
  expect(response.headers.get(unconfigured)).toBe('iotTopicPublish:*, dynamoDBv2:readings')
})

test('an analysis warns of targets without an address', async () => {
  const calls = await app.caller('analyst')
  await calls.CreateInput({ body: readingInput })
  const { detectorModelDefinition } = doing('teller', [alerts])
  const { body } = await calls.StartDetectorModelAnalysis({ body: { detectorModelDefinition } })
  const results = await calls.GetDetectorModelAnalysisResults({ params: body })
  expect(results.body.analysisResults).toContainEqual({
    type: 'referenced-resource',
    level: 'WARNING',
    message: "No address is configured for 'sns:alerts': deliveries to it will fail.",
    locations: [{ path: expect.stringMatching(/^states\[0\]\..*actions\[0\]\.sns$/) }],
  })
})
