import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alarmStateNames } from '../alarms/types.ts'
import { type Calls, type EventApp, message, start } from '../testing/app.ts'
import { hotAlarm, readingInput } from '../testing/models.ts'
import { refusal } from '../testing/refusal.ts'

let app: EventApp
let acme: Calls
const alarmModelName = 'hot'
const params = { alarmModelName }

beforeAll(async () => {
  app = await start()
  acme = await app.caller()
  await acme.CreateInput({ body: readingInput })
  await acme.CreateAlarmModel({ body: hotAlarm })
})
afterAll(() => app[Symbol.asyncDispose]())

async function sendReadings(keyValue: string, ...values: number[]): Promise<void> {
  for (const value of values)
    await acme.BatchPutMessage({ body: { messages: [message('m', 'Reading', { sensor: keyValue, value })] } })
  await app.jobs.drain()
}

const alarm = async (keyValue: string) => (await acme.DescribeAlarm({ params, query: { keyValue } })).body.alarm
const stateOf = async (keyValue: string) => (await alarm(keyValue)).alarmState.stateName

const request = (keyValue: string) => ({ requestId: 'r1', alarmModelName, keyValue, note: 'by hand' })
const actions = {
  acknowledge: {
    act: (key: string) => acme.BatchAcknowledgeAlarm({ body: { acknowledgeActionRequests: [request(key)] } }),
    leadsTo: 'ACKNOWLEDGED',
    shown: { actionName: 'ACKNOWLEDGE', acknowledgeActionConfiguration: { note: 'by hand' } },
  },
  disable: {
    act: (key: string) => acme.BatchDisableAlarm({ body: { disableActionRequests: [request(key)] } }),
    leadsTo: 'DISABLED',
    shown: { actionName: 'DISABLE', disableActionConfiguration: { note: 'by hand' } },
  },
  enable: {
    act: (key: string) => acme.BatchEnableAlarm({ body: { enableActionRequests: [request(key)] } }),
    leadsTo: 'NORMAL',
    shown: { actionName: 'ENABLE', enableActionConfiguration: { note: 'by hand' } },
  },
  reset: {
    act: (key: string) => acme.BatchResetAlarm({ body: { resetActionRequests: [request(key)] } }),
    leadsTo: 'NORMAL',
    shown: { actionName: 'RESET', resetActionConfiguration: { note: 'by hand' } },
  },
  snooze: {
    act: (key: string) =>
      acme.BatchSnoozeAlarm({ body: { snoozeActionRequests: [{ ...request(key), snoozeDuration: 60 }] } }),
    leadsTo: 'SNOOZE_DISABLED',
    shown: { actionName: 'SNOOZE', snoozeActionConfiguration: { note: 'by hand', snoozeDuration: 60 } },
  },
} as const

/** Brings an alarm into a state. */
const reach: Readonly<Record<(typeof alarmStateNames)[number], (key: string) => Promise<unknown>>> = {
  NORMAL: (key) => sendReadings(key, 20),
  ACTIVE: (key) => sendReadings(key, 40),
  LATCHED: (key) => sendReadings(key, 40, 20),
  ACKNOWLEDGED: (key) => sendReadings(key, 40).then(() => actions.acknowledge.act(key)),
  DISABLED: (key) => sendReadings(key, 20).then(() => actions.disable.act(key)),
  SNOOZE_DISABLED: (key) => sendReadings(key, 20).then(() => actions.snooze.act(key)),
}

describe.each(alarmStateNames)('an alarm in the state %s', (state) => {
  test.each(Object.entries(actions))('%s', async (name, { act, leadsTo, shown }) => {
    const key = `${state}-${name}`
    await reach[state](key)
    expect(await stateOf(key)).toBe(state)
    expect(await act(key)).toMatchObject({ status: 200, body: { errorEntries: [] } })
    expect((await alarm(key)).alarmState).toMatchObject({ stateName: leadsTo, customerAction: shown })
  })
})

test('an alarm follows its data and shows the last evaluation', async () => {
  await sendReadings('data', 40)
  expect(await alarm('data')).toMatchObject({
    ...params,
    alarmModelVersion: '1',
    keyValue: 'data',
    severity: 3,
    creationTime: expect.any(Number),
    alarmState: {
      stateName: 'ACTIVE',
      ruleEvaluation: {
        simpleRuleEvaluation: { inputPropertyValue: '40', operator: 'GREATER', thresholdValue: '30' },
      },
    },
  })
  await actions.acknowledge.act('data')
  await sendReadings('data', 41)
  expect(await stateOf('data')).toBe('ACKNOWLEDGED')
  await sendReadings('data', 10)
  expect(await stateOf('data')).toBe('NORMAL')
})

test('disabled and snoozed alarms ignore data', async () => {
  for (const name of ['disable', 'snooze'] as const) {
    await sendReadings(`quiet-${name}`, 20)
    await actions[name].act(`quiet-${name}`)
    await sendReadings(`quiet-${name}`, 50)
    expect(await stateOf(`quiet-${name}`)).toBe(actions[name].leadsTo)
  }
})

test('a snooze ends at its time; a renewed one ends later', async () => {
  await sendReadings('snoozed', 40)
  await actions.snooze.act('snoozed')
  await app.clock.advance(50_000)
  await actions.snooze.act('snoozed')
  await app.clock.advance(50_000)
  await app.jobs.drain()
  expect(await stateOf('snoozed')).toBe('SNOOZE_DISABLED')
  await app.clock.advance(10_000)
  await app.jobs.drain()
  expect((await alarm('snoozed')).alarmState).toMatchObject({
    stateName: 'NORMAL',
    systemEvent: { eventType: 'STATE_CHANGE', stateChangeConfiguration: { triggerType: 'SNOOZE_TIMEOUT' } },
  })
  await sendReadings('snoozed', 40)
  expect(await stateOf('snoozed')).toBe('ACTIVE')
})

test('each missing alarm gives an error, and the others are updated', async () => {
  await sendReadings('here', 40)
  const { body } = await acme.BatchAcknowledgeAlarm({
    body: {
      acknowledgeActionRequests: [
        { requestId: 'first', alarmModelName, keyValue: 'nowhere' },
        { requestId: 'second', alarmModelName, keyValue: 'here' },
        { requestId: 'third', alarmModelName: 'unknown', keyValue: 'here' },
        { requestId: 'fourth', alarmModelName },
      ],
    },
  })
  expect(body.errorEntries.map(({ requestId, errorCode }) => [requestId, errorCode])).toEqual(
    ['first', 'third', 'fourth'].map((id) => [id, 'ResourceNotFoundException']),
  )
  expect(await stateOf('here')).toBe('ACKNOWLEDGED')
  const twice = { acknowledgeActionRequests: [request('here'), request('here')] }
  expect(await refusal(acme.BatchAcknowledgeAlarm({ body: twice }))).toMatchObject({ status: 400 })
})

test('two actions on one alarm in a batch are performed in order', async () => {
  await sendReadings('twice', 40)
  const [first, second] = [
    { ...request('twice'), requestId: 'first', snoozeDuration: 30 },
    { ...request('twice'), requestId: 'second', snoozeDuration: 90 },
  ]
  await acme.BatchSnoozeAlarm({ body: { snoozeActionRequests: [first, second] } })
  expect((await alarm('twice')).alarmState.customerAction?.snoozeActionConfiguration).toMatchObject({
    snoozeDuration: 90,
  })
})

test('alarms are listed with paging and isolated from other tenants', async () => {
  const keys: (string | undefined)[] = []
  let nextToken: string | undefined
  do {
    const { body } = await acme.ListAlarms({ params, query: { maxResults: 7, ...(nextToken && { nextToken }) } })
    expect(body.alarmSummaries.length).toBeLessThanOrEqual(7)
    keys.push(...body.alarmSummaries.map(({ keyValue }) => keyValue))
    nextToken = body.nextToken
  } while (nextToken)
  expect(keys).toEqual([...new Set(keys)].toSorted())
  expect(keys).toContain('ACTIVE-reset')

  const other = await app.caller('other')
  const calls = [other.ListAlarms({ params }), other.DescribeAlarm({ params, query: { keyValue: 'here' } })]
  for (const refused of await Promise.all(calls.map(refusal))) expect(refused).toMatchObject({ status: 404 })
  const { body } = await other.BatchResetAlarm({ body: { resetActionRequests: [request('here')] } })
  expect(body.errorEntries).toMatchObject([{ errorCode: 'ResourceNotFoundException' }])
  expect(await stateOf('here')).toBe('ACKNOWLEDGED')
})
