import * as control from '@aws-sdk/client-iot-events'
import * as data from '@aws-sdk/client-iot-events-data'
import * as newestData from '@aws-sdk/client-iot-events-data-new'
import * as newestControl from '@aws-sdk/client-iot-events-new'
import { eventDetection } from '@icosa/event-detection'
import AWS from 'aws-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hot, message, motor, pressure, roleArn } from './motor.ts'
import { eventually, type SignedPlatform, startSignedPlatform } from './signed-support.ts'
import { schemes } from './tls.ts'

const oldest = { control, data }
const newest = { control: newestControl as unknown as typeof control, data: newestData as unknown as typeof data }

describe.each([
  ['3.731', 'http', oldest],
  ['3.731', 'https', oldest],
  ['3.1048', 'http', newest],
  ['3.1048', 'https', newest],
] as const)('version %s of the clients over %s', (_, scheme, { control, data }) => {
  let platform: SignedPlatform
  const events = () => new control.IoTEvents(platform.over(scheme))
  const instances = () => new data.IoTEventsData(platform.over(scheme))

  beforeAll(async () => {
    platform = await startSignedPlatform([eventDetection()])
    await events().createInput(pressure)
  })
  afterAll(() => platform[Symbol.asyncDispose]())

  describe('definitions', () => {
    test('inputs are created, changed, tagged and deleted', async () => {
      const client = events()
      const inputDefinition = { attributes: [{ jsonPath: 'temperature' }] }
      const created = await client.createInput({
        inputName: 'Weather',
        inputDefinition,
        tags: [{ key: 'a', value: '1' }],
      })
      expect(created.inputConfiguration).toMatchObject({ inputName: 'Weather', status: 'ACTIVE' })
      expect(created.inputConfiguration?.creationTime).toBeInstanceOf(Date)
      const changed = { attributes: [{ jsonPath: 'temperature' }, { jsonPath: 'wind' }] }
      await client.updateInput({ inputName: 'Weather', inputDescription: 'outside', inputDefinition: changed })
      expect((await client.describeInput({ inputName: 'Weather' })).input).toMatchObject({
        inputConfiguration: { inputDescription: 'outside' },
        inputDefinition: changed,
      })
      expect((await client.listInputs({})).inputSummaries?.map(({ inputName }) => inputName)).toContain('Weather')
      const resourceArn = created.inputConfiguration?.inputArn ?? ''
      await client.tagResource({ resourceArn, tags: [{ key: 'b', value: '2' }] })
      await client.untagResource({ resourceArn, tagKeys: ['a'] })
      expect((await client.listTagsForResource({ resourceArn })).tags).toEqual([{ key: 'b', value: '2' }])
      await client.deleteInput({ inputName: 'Weather' })
      await expect(client.describeInput({ inputName: 'Weather' })).rejects.toBeInstanceOf(
        control.ResourceNotFoundException,
      )
    })

    test('detector models have versions, and the routes of an input are listed', async () => {
      const client = events()
      const detectorModelName = 'Versions'
      await client.createDetectorModel({ detectorModelName, detectorModelDefinition: motor, key: 'motor', roleArn })
      await client.updateDetectorModel({
        detectorModelName,
        detectorModelDefinition: motor,
        detectorModelDescription: 'second',
        roleArn,
        evaluationMethod: 'SERIAL',
      })
      const { detectorModel } = await client.describeDetectorModel({ detectorModelName, detectorModelVersion: '1' })
      expect(detectorModel?.detectorModelDefinition).toMatchObject({ initialStateName: 'Calm' })
      const versions = await client.listDetectorModelVersions({ detectorModelName })
      expect(versions.detectorModelVersionSummaries).toHaveLength(2)
      expect((await client.listDetectorModels({})).detectorModelSummaries?.length).toBeGreaterThan(0)
      const routes = await client.listInputRoutings({
        inputIdentifier: { iotEventsInputIdentifier: { inputName: 'Pressure' } },
      })
      expect(routes.routedResources?.map(({ name }) => name)).toContain(detectorModelName)
      await expect(client.deleteInput({ inputName: 'Pressure' })).rejects.toBeInstanceOf(control.ResourceInUseException)
      await client.deleteDetectorModel({ detectorModelName })
    })

    test('alarm models are created, changed, listed and deleted', async () => {
      const client = events()
      const alarmModelName = 'Drafts'
      await client.createAlarmModel({ alarmModelName, roleArn, key: 'motor', severity: 3, ...hot })
      await client.updateAlarmModel({ alarmModelName, roleArn, severity: 5, ...hot })
      expect(await client.describeAlarmModel({ alarmModelName })).toMatchObject({ severity: 5, status: 'ACTIVE' })
      expect((await client.listAlarmModelVersions({ alarmModelName })).alarmModelVersionSummaries).toHaveLength(2)
      expect((await client.listAlarmModels({})).alarmModelSummaries?.length).toBeGreaterThan(0)
      await client.deleteAlarmModel({ alarmModelName })
    })

    test('an analysis finds the mistakes in a model', async () => {
      const client = events()
      const wrong = structuredClone(motor)
      const [calm] = wrong.states ?? []
      const [rise] = calm?.onInput?.transitionEvents ?? []
      if (rise) rise.condition = '$input.Missing.sensor.pressure > 70'
      const { analysisId = '' } = await client.startDetectorModelAnalysis({ detectorModelDefinition: wrong })
      const { status } = await eventually(
        () => client.describeDetectorModelAnalysis({ analysisId }),
        (answer) => answer.status === 'COMPLETE',
      )
      expect(status).toBe('COMPLETE')
      const { analysisResults = [] } = await client.getDetectorModelAnalysisResults({ analysisId })
      expect(analysisResults.map(({ level }) => level)).toContain('ERROR')
      expect(JSON.stringify(analysisResults)).toContain('Missing')
    })

    test('logging options are set and read', async () => {
      const client = events()
      const loggingOptions = { roleArn, level: 'DEBUG' as const, enabled: true }
      await client.putLoggingOptions({ loggingOptions })
      expect((await client.describeLoggingOptions({})).loggingOptions).toMatchObject(loggingOptions)
    })

    test('every modelled exception is an instance of its class', async () => {
      const client = events()
      const input = { inputName: 'Pressure', inputDefinition: { attributes: [{ jsonPath: 'a' }] } }
      await expect(client.createInput(input)).rejects.toBeInstanceOf(control.ResourceAlreadyExistsException)
      await expect(client.createInput({ ...input, inputName: 'no spaces' })).rejects.toBeInstanceOf(
        control.InvalidRequestException,
      )
      await expect(client.describeAlarmModel({ alarmModelName: 'None' })).rejects.toBeInstanceOf(
        control.ResourceNotFoundException,
      )
    })
  })

  describe('instances', () => {
    beforeAll(async () => {
      const client = events()
      await client.createDetectorModel({
        detectorModelName: 'Motor',
        detectorModelDefinition: motor,
        key: 'motor',
        roleArn,
      })
      await client.createAlarmModel({ alarmModelName: 'Hot', roleArn, key: 'motor', severity: 3, ...hot })
    })

    const stateOf = (keyValue: string, isRight: (state: string | undefined) => boolean) =>
      eventually(
        async () =>
          (
            await instances()
              .describeDetector({ detectorModelName: 'Motor', keyValue })
              .catch(() => undefined)
          )?.detector,
        (current) => isRight(current?.state?.stateName),
      )

    test('messages move detectors; errors are named by entry', async () => {
      const client = instances()
      const { BatchPutMessageErrorEntries: wrong } = await client.batchPutMessage({
        messages: [message('1', 'm1', 50), message('2', 'm2', 50), message('3', 'm1', 50, 'Unknown')],
      })
      expect(wrong).toMatchObject([{ messageId: '3', errorCode: 'ResourceNotFoundException' }])
      expect(await stateOf('m1', (state) => state === 'Calm')).toMatchObject({
        keyValue: 'm1',
        detectorModelVersion: '1',
        state: { stateName: 'Calm', variables: [{ name: 'last', value: '50' }] },
      })
      await client.batchPutMessage({ messages: [message('4', 'm1', 80)] })
      const risen = await stateOf('m1', (state) => state === 'Dangerous')
      expect(risen?.state?.timers).toMatchObject([{ name: 'cool' }])
      expect(risen?.state?.timers?.[0]?.timestamp).toBeInstanceOf(Date)
      const listed = await client.listDetectors({ detectorModelName: 'Motor', stateName: 'Dangerous' })
      expect(listed.detectorSummaries?.map(({ keyValue }) => keyValue)).toEqual(['m1'])
    })

    test('detectors are set and deleted', async () => {
      const client = instances()
      const detectorModelName = 'Motor'
      const state = {
        stateName: 'Dangerous',
        variables: [{ name: 'last', value: '99' }],
        timers: [{ name: 'cool', seconds: 60 }],
      }
      const update = await client.batchUpdateDetector({
        detectors: [
          { messageId: '1', detectorModelName, keyValue: 'm2', state },
          { messageId: '2', detectorModelName: 'None', keyValue: 'm2', state },
        ],
      })
      expect(update.batchUpdateDetectorErrorEntries).toMatchObject([{ messageId: '2' }])
      expect(await stateOf('m2', (name) => name === 'Dangerous')).toMatchObject({ state: { stateName: 'Dangerous' } })
      const deleted = await client.batchDeleteDetector({
        detectors: [{ messageId: '1', detectorModelName, keyValue: 'm2' }],
      })
      expect(deleted.batchDeleteDetectorErrorEntries).toEqual([])
      await expect(client.describeDetector({ detectorModelName, keyValue: 'm2' })).rejects.toBeInstanceOf(
        data.ResourceNotFoundException,
      )
    })

    test('alarms rise, and are acknowledged, snoozed, disabled, enabled and reset', async () => {
      const client = instances()
      await client.batchPutMessage({ messages: [message('10', 'm3', 95)] })
      const ask = () => client.describeAlarm({ alarmModelName: 'Hot', keyValue: 'm3' }).catch(() => undefined)
      const now = async (stateName: string) =>
        (await eventually(ask, (answer) => answer?.alarm?.alarmState?.stateName === stateName))?.alarm?.alarmState
      expect(await now('ACTIVE')).toMatchObject({
        stateName: 'ACTIVE',
        ruleEvaluation: {
          simpleRuleEvaluation: { inputPropertyValue: '95', operator: 'GREATER', thresholdValue: '90' },
        },
      })
      const one = { requestId: '1', alarmModelName: 'Hot', keyValue: 'm3', note: 'seen' }
      const unknown = { ...one, requestId: '2', keyValue: 'nobody' }
      const { errorEntries } = await client.batchAcknowledgeAlarm({ acknowledgeActionRequests: [one, unknown] })
      expect(errorEntries).toMatchObject([{ requestId: '2', errorCode: 'ResourceNotFoundException' }])
      expect(await now('ACKNOWLEDGED')).toMatchObject({
        customerAction: { actionName: 'ACKNOWLEDGE', acknowledgeActionConfiguration: { note: 'seen' } },
      })
      await client.batchSnoozeAlarm({ snoozeActionRequests: [{ ...one, snoozeDuration: 60 }] })
      expect((await now('SNOOZE_DISABLED'))?.stateName).toBe('SNOOZE_DISABLED')
      await client.batchDisableAlarm({ disableActionRequests: [one] })
      expect((await now('DISABLED'))?.stateName).toBe('DISABLED')
      await client.batchEnableAlarm({ enableActionRequests: [one] })
      expect((await now('NORMAL'))?.stateName).toBe('NORMAL')
      await client.batchResetAlarm({ resetActionRequests: [one] })
      expect((await now('NORMAL'))?.customerAction?.actionName).toBe('RESET')
      const { alarmSummaries } = await client.listAlarms({ alarmModelName: 'Hot' })
      expect(alarmSummaries).toContainEqual(expect.objectContaining({ keyValue: 'm3', stateName: 'NORMAL' }))
    })
  })
})

test.each(schemes)(
  'version 2 of the SDK defines models and drives detectors and alarms over %s, too',
  async (scheme) => {
    await using platform = await startSignedPlatform([eventDetection()])
    const config = { ...platform.over(scheme), maxRetries: 0 }
    const [events, instances] = [new AWS.IoTEvents(config), new AWS.IoTEventsData(config)]
    await events.createInput(pressure).promise()
    const definition = motor as AWS.IoTEvents.DetectorModelDefinition
    const model = { detectorModelName: 'Motor', detectorModelDefinition: definition, key: 'motor', roleArn }
    await events.createDetectorModel(model).promise()
    await events.createAlarmModel({ alarmModelName: 'Hot', roleArn, key: 'motor', severity: 3, ...hot }).promise()
    expect((await events.listDetectorModels().promise()).detectorModelSummaries).toHaveLength(1)
    const messages = [message('1', 'm1', 95), message('2', 'm1', 95, 'Unknown')]
    const { BatchPutMessageErrorEntries } = await instances.batchPutMessage({ messages }).promise()
    expect(BatchPutMessageErrorEntries).toMatchObject([{ messageId: '2', errorCode: 'ResourceNotFoundException' }])
    const detector = () => instances.describeDetector({ detectorModelName: 'Motor', keyValue: 'm1' }).promise()
    const current = await eventually(
      () => detector().catch(() => undefined),
      (answer) => answer !== undefined,
    )
    expect(current?.detector?.state).toMatchObject({
      stateName: 'Dangerous',
      timers: [{ timestamp: expect.any(Date) }],
    })
    const alarm = () => instances.describeAlarm({ alarmModelName: 'Hot', keyValue: 'm1' }).promise()
    const risen = await eventually(
      () => alarm().catch(() => undefined),
      (answer) => answer !== undefined,
    )
    expect(risen?.alarm?.alarmState).toMatchObject({ stateName: 'ACTIVE' })
    const one = { requestId: '1', alarmModelName: 'Hot', keyValue: 'm1' }
    await instances.batchAcknowledgeAlarm({ acknowledgeActionRequests: [one] }).promise()
    await expect.poll(async () => (await alarm()).alarm?.alarmState?.stateName).toBe('ACKNOWLEDGED')
    const missing = events.describeInput({ inputName: 'None' }).promise()
    await expect(missing).rejects.toMatchObject({ code: 'ResourceNotFoundException', statusCode: 404 })
  },
)
