import { accountOf } from '@icosa/dialects/signed/arn'
import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Calls, type EventApp, message, start } from '../testing/app.ts'
import { createSwing, hotAlarm, swing } from '../testing/models.ts'
import { refusal } from '../testing/refusal.ts'

let app: EventApp
let acme: Calls
const params = { detectorModelName: 'swing' }

beforeAll(async () => {
  app = await start()
  acme = await app.caller()
  await createSwing(acme)
})
afterAll(() => app[Symbol.asyncDispose]())

const { detectorModelDefinition, roleArn } = swing

test('a model is described as it was created', async () => {
  const { body } = await acme.DescribeDetectorModel({ params })
  expect(body.detectorModel).toMatchObject({
    detectorModelDefinition,
    detectorModelConfiguration: {
      ...params,
      detectorModelVersion: '1',
      detectorModelArn: `arn:aws:iotevents:us-east-1:${accountOf('acme')}:detectorModel/swing`,
      roleArn,
      status: 'ACTIVE',
      key: 'sensor',
      evaluationMethod: 'BATCH',
    },
  })
  expect(await refusal(acme.CreateDetectorModel({ body: swing }))).toMatchObject({
    status: 409,
    body: { __type: 'ResourceAlreadyExistsException', resourceId: 'swing' },
  })
})

test('a new version takes over: its detectors start anew, older versions can be read', async () => {
  const put = () => acme.BatchPutMessage({ body: { messages: [message('m', 'Reading', { sensor: 'a', value: 1 })] } })
  const count = async () => {
    await app.jobs.drain()
    const { body } = await acme.DescribeDetector({ params, query: { keyValue: 'a' } })
    const { detectorModelVersion, state } = body.detector
    return [detectorModelVersion, state.variables.find(({ name }) => name === 'count')?.value]
  }
  await put()
  await put()
  expect(await count()).toEqual(['1', '2'])
  const { body } = await acme.UpdateDetectorModel({
    params,
    body: { detectorModelDefinition, roleArn, detectorModelDescription: 'second', evaluationMethod: 'SERIAL' },
  })
  expect(body.detectorModelConfiguration).toMatchObject({ detectorModelVersion: '2', evaluationMethod: 'SERIAL' })
  expect(await refusal(acme.DescribeDetector({ params, query: { keyValue: 'a' } }))).toMatchObject({ status: 404 })
  await put()
  expect(await count()).toEqual(['2', '1'])
  expect(await app.platform.database.many(sql`select key from event_detection.instances`)).toHaveLength(1)

  const old = await acme.DescribeDetectorModel({ params, query: { version: '1' } })
  expect(old.body.detectorModel.detectorModelConfiguration).toMatchObject({ status: 'INACTIVE', key: 'sensor' })
  expect(await refusal(acme.DescribeDetectorModel({ params, query: { version: '3' } }))).toMatchObject({ status: 404 })
  const versions = await acme.ListDetectorModelVersions({ params, query: { maxResults: 1 } })
  expect(versions.body.detectorModelVersionSummaries).toMatchObject([{ detectorModelVersion: '2', status: 'ACTIVE' }])
  const second = await acme.ListDetectorModelVersions({ params, query: { nextToken: versions.body.nextToken ?? '' } })
  expect(second.body.detectorModelVersionSummaries).toMatchObject([{ detectorModelVersion: '1', status: 'INACTIVE' }])
  expect((await acme.ListDetectorModels({})).body.detectorModelSummaries).toMatchObject([
    { ...params, detectorModelDescription: 'second' },
  ])
})

test('an invalid model is refused with the reason', async () => {
  const broken = structuredClone(detectorModelDefinition)
  const [event] = broken.states[0]?.onInput?.transitionEvents ?? []
  if (event) event.condition = '$input.Reading.nothing > 1 &&'
  const body = { ...swing, detectorModelName: 'broken', detectorModelDefinition: broken }
  expect(await refusal(acme.CreateDetectorModel({ body }))).toMatchObject({
    status: 400,
    body: { __type: 'InvalidRequestException', message: expect.stringContaining('transitionEvents[0].condition') },
  })
  if (event) event.condition = '$input.Elsewhere.value > 1'
  expect(await refusal(acme.CreateDetectorModel({ body }))).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("There is no input 'Elsewhere'; create it first.") },
  })
  const keyless = { ...swing, detectorModelName: 'keyless', key: 'unknown' }
  expect(await refusal(acme.CreateDetectorModel({ body: keyless }))).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("'unknown' is not an attribute") },
  })
})

test('an analysis reports errors and warnings', async () => {
  const definition = { initialStateName: 'Nowhere', states: detectorModelDefinition.states }
  const { body } = await acme.StartDetectorModelAnalysis({ body: { detectorModelDefinition: definition } })
  const { analysisId } = body
  expect((await acme.DescribeDetectorModelAnalysis({ params: { analysisId } })).body).toEqual({ status: 'COMPLETE' })
  const results = await acme.GetDetectorModelAnalysisResults({ params: { analysisId }, query: { maxResults: 1 } })
  expect(results.body.analysisResults).toMatchObject([{ level: 'ERROR', message: expect.any(String) }])
  const other = await app.caller('other')
  const calls = [
    other.DescribeDetectorModelAnalysis({ params: { analysisId } }),
    other.GetDetectorModelAnalysisResults({ params: { analysisId } }),
    acme.DescribeDetectorModelAnalysis({ params: { analysisId: 'unknown' } }),
  ]
  for (const refused of await Promise.all(calls.map(refusal))) expect(refused).toMatchObject({ status: 404 })
})

test('alarm models have versions, too', async () => {
  const name = { alarmModelName: 'hot' }
  const created = await acme.CreateAlarmModel({ body: { ...hotAlarm, alarmModelDescription: 'first' } })
  expect(created.body).toMatchObject({ alarmModelVersion: '1', status: 'ACTIVE' })
  const { alarmModelName: _, key: __, ...rest } = hotAlarm
  await acme.UpdateAlarmModel({ params: name, body: { ...rest, severity: 5 } })
  const { body } = await acme.DescribeAlarmModel({ params: name })
  expect(body).toMatchObject({ ...rest, severity: 5, key: 'sensor', alarmModelVersion: '2' })
  expect(body).not.toHaveProperty('alarmModelDescription')
  const first = await acme.DescribeAlarmModel({ params: name, query: { version: '1' } })
  expect(first.body).toMatchObject({ severity: 3, status: 'INACTIVE', alarmModelDescription: 'first' })
  const { alarmModelVersionSummaries } = (await acme.ListAlarmModelVersions({ params: name })).body
  expect(alarmModelVersionSummaries.map(({ alarmModelVersion }) => alarmModelVersion)).toEqual(['2', '1'])
  expect((await acme.ListAlarmModels({})).body.alarmModelSummaries).toMatchObject([name])
  expect(await acme.DeleteAlarmModel({ params: name })).toMatchObject({ status: 204 })
  expect(await refusal(acme.DescribeAlarmModel({ params: name }))).toMatchObject({ status: 404 })
})

test('deleting a model deletes its detectors; a model of the same name is independent', async () => {
  await acme.BatchPutMessage({ body: { messages: [message('m', 'Reading', { sensor: 'b', value: 1 })] } })
  expect(await acme.DeleteDetectorModel({ params })).toMatchObject({ status: 204 }) // the message has not been evaluated
  await acme.CreateDetectorModel({ body: swing })
  await app.jobs.drain()
  expect((await acme.ListDetectors({ params })).body).toEqual({ detectorSummaries: [] })
  const { database } = app.platform
  expect(await database.many(sql`select key from event_detection.instances`)).toEqual([])
  expect(await database.many(sql`select id from event_detection.mailbox`)).toEqual([])
})
