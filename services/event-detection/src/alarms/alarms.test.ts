import { describe, expect, test } from 'vitest'
import type { AlarmModelDefinition } from '../models/alarm-models/contract.ts'
import { type AlarmModel, compileAlarm } from './compile.ts'
import { respond } from './respond.ts'
import { type AlarmState, type AlarmStateName, alarmStateNames, type CustomerAction } from './types.ts'

const start = Date.UTC(2026, 2, 1, 12)

function alarmModel(rest: Partial<AlarmModelDefinition> = {}, acknowledged = true): AlarmModel {
  return compileAlarm({
    alarmModelName: 'hot',
    alarmModelVersion: '1',
    severity: 2,
    alarmRule: {
      simpleRule: { inputProperty: '$input.In.temperature', comparisonOperator: 'GREATER', threshold: '70' },
    },
    alarmCapabilities: {
      initializationConfiguration: { disabledOnInitialization: false },
      acknowledgeFlow: { enabled: acknowledged },
    },
    ...rest,
  })
}

const message = (payload: object, second = 0, inputName = 'In') =>
  ({ kind: 'message', inputName, messageId: `m${second}`, payload, at: start + second * 1000, keyValue: 'K' }) as const
const action = (customerAction: CustomerAction, second = 0) =>
  ({
    kind: 'action',
    action: customerAction,
    requestId: `r${second}`,
    at: start + second * 1000,
    keyValue: 'K',
  }) as const

const actions: readonly CustomerAction[] = [
  { actionName: 'ACKNOWLEDGE', acknowledgeActionConfiguration: { note: 'noticed' } },
  { actionName: 'DISABLE', disableActionConfiguration: {} },
  { actionName: 'ENABLE', enableActionConfiguration: {} },
  { actionName: 'RESET', resetActionConfiguration: {} },
  { actionName: 'SNOOZE', snoozeActionConfiguration: { snoozeDuration: 60, note: 'not now' } },
]
const [acknowledge, disable, enable, reset, snooze] = actions as [
  CustomerAction,
  CustomerAction,
  CustomerAction,
  CustomerAction,
  CustomerAction,
]

/** Brings an alarm into a state by data and actions. */
function alarmIn(stateName: AlarmStateName, model = alarmModel()): AlarmState {
  const normal = respond(model, undefined, message({ temperature: 20 })).state
  const active = respond(model, normal, message({ temperature: 80 }, 1)).state
  switch (stateName) {
    case 'NORMAL':
      return normal
    case 'ACTIVE':
      return active
    case 'LATCHED':
      return respond(model, active, message({ temperature: 20 }, 2)).state
    case 'ACKNOWLEDGED':
      return respond(model, active, action(acknowledge, 2)).state
    case 'DISABLED':
      return respond(model, active, action(disable, 2)).state
    case 'SNOOZE_DISABLED':
      return respond(model, active, action(snooze, 2)).state
  }
}

describe('every action from every state', () => {
  const next: Readonly<Record<CustomerAction['actionName'], AlarmStateName>> = {
    ACKNOWLEDGE: 'ACKNOWLEDGED',
    DISABLE: 'DISABLED',
    ENABLE: 'NORMAL',
    RESET: 'NORMAL',
    SNOOZE: 'SNOOZE_DISABLED',
  }
  const rows = alarmStateNames.flatMap((from) =>
    actions.map(
      (customerAction) => [from, customerAction.actionName, next[customerAction.actionName], customerAction] as const,
    ),
  )

  test.each(rows)('%s, %s: %s', (from, _, to, customerAction) => {
    const before = alarmIn(from)
    expect(before.shown.stateName).toBe(from)
    const { state, transitions } = respond(alarmModel(), before, action(customerAction, 10))
    expect(state.shown).toMatchObject({ stateName: to, customerAction })
    expect(state.shown).not.toHaveProperty('systemEvent')
    expect(state.snoozedUntil).toBe(to === 'SNOOZE_DISABLED' ? start + 70_000 : undefined)
    const transition = { from, to, eventName: customerAction.actionName, at: start + 10_000 }
    expect(transitions).toEqual(from === to ? [] : [transition])
  })
})

describe('new data', () => {
  const rows = [
    ['NORMAL', 80, 'ACTIVE'],
    ['NORMAL', 70, 'NORMAL'],
    ['ACTIVE', 90, 'ACTIVE'],
    ['ACTIVE', 60, 'LATCHED'],
    ['LATCHED', 90, 'ACTIVE'],
    ['LATCHED', 60, 'LATCHED'],
    ['ACKNOWLEDGED', 90, 'ACKNOWLEDGED'],
    ['ACKNOWLEDGED', 60, 'NORMAL'],
    ['DISABLED', 90, 'DISABLED'],
    ['SNOOZE_DISABLED', 90, 'SNOOZE_DISABLED'],
  ] as const

  test.each(rows)('%s, %s degrees: %s', (from, temperature, to) => {
    const { state } = respond(alarmModel(), alarmIn(from), message({ temperature }, 5))
    expect(state.shown.stateName).toBe(to)
  })

  test('without an acknowledge flow an alarm becomes NORMAL by itself', () => {
    const model = alarmModel({}, false)
    expect(respond(model, alarmIn('ACTIVE', model), message({ temperature: 60 }, 5)).state.shown.stateName).toBe(
      'NORMAL',
    )
  })

  test('shows the rule evaluation, and no longer the cause of an earlier state', () => {
    const { state } = respond(alarmModel(), alarmIn('ACKNOWLEDGED'), message({ temperature: 60.5 }, 5))
    expect(state.shown).toEqual({
      stateName: 'NORMAL',
      ruleEvaluation: {
        simpleRuleEvaluation: { inputPropertyValue: '60.5', operator: 'GREATER', thresholdValue: '70' },
      },
    })
  })

  test('changes nothing and reports an error if a value is missing', () => {
    const before = alarmIn('ACTIVE')
    const { state, errors, transitions } = respond(alarmModel(), before, message({ humidity: 3 }, 5))
    expect(state.shown).toEqual(before.shown)
    expect(transitions).toEqual([])
    expect(errors).toMatchObject([{ path: 'alarmRule.simpleRule.inputProperty' }])
  })
})

test('a new alarm is disabled unless its model says otherwise', () => {
  const { state, transitions, effects } = respond(
    alarmModel({ alarmCapabilities: {} }),
    undefined,
    message({ temperature: 90 }),
  )
  expect(state.shown).toEqual({ stateName: 'DISABLED' })
  expect(transitions).toEqual([{ to: 'DISABLED', at: start, messageId: 'm0' }])
  expect(effects).toEqual([])
  const first = respond(alarmModel(), undefined, message({ temperature: 90 }))
  expect(first.transitions.map(({ to }) => to)).toEqual(['NORMAL', 'ACTIVE'])
})

test.each([
  ['GREATER', [71], [70, 69]],
  ['GREATER_OR_EQUAL', [71, 70], [69]],
  ['LESS', [69], [70, 71]],
  ['LESS_OR_EQUAL', [69, 70], [71]],
  ['EQUAL', [70], [69, 71]],
  ['NOT_EQUAL', [69, 71], [70]],
] as const)('%s compares with a threshold from another input', (comparisonOperator, alarming, fine) => {
  const simpleRule = { inputProperty: '$input.In.temperature', comparisonOperator, threshold: '$input.Limits.high' }
  const model = alarmModel({ alarmRule: { simpleRule } })
  const limited = respond(model, undefined, message({ high: 70 }, 0, 'Limits')).state
  const after = (temperature: number) => respond(model, limited, message({ temperature }, 1)).state.shown.stateName
  expect(alarming.map(after)).toEqual(alarming.map(() => 'ACTIVE'))
  expect(fine.map(after)).toEqual(fine.map(() => 'NORMAL'))
  expect(model.inputs).toEqual(['In', 'Limits'])
})

describe('a snooze', () => {
  const timeout = (second: number) => ({ kind: 'snoozeTimeout', at: start + second * 1000 }) as const

  test('ends by itself', () => {
    const { state, transitions } = respond(alarmModel(), alarmIn('SNOOZE_DISABLED'), timeout(62))
    expect(state.shown).toMatchObject({
      stateName: 'NORMAL',
      systemEvent: { eventType: 'STATE_CHANGE', stateChangeConfiguration: { triggerType: 'SNOOZE_TIMEOUT' } },
    })
    expect(state.shown).not.toHaveProperty('customerAction')
    expect(state).not.toHaveProperty('snoozedUntil')
    expect(transitions).toEqual([
      { from: 'SNOOZE_DISABLED', to: 'NORMAL', eventName: 'SNOOZE_TIMEOUT', at: start + 62_000 },
    ])
  })

  test('does not end early, nor after it was renewed or ended by a user', () => {
    const model = alarmModel()
    const snoozing = alarmIn('SNOOZE_DISABLED')
    expect(respond(model, snoozing, timeout(61)).state).toBe(snoozing)
    const longer = respond(model, snoozing, action(snooze, 30)).state
    expect(respond(model, longer, timeout(62)).state).toBe(longer)
    const disabled = respond(model, snoozing, action(disable, 30)).state
    expect(respond(model, disabled, timeout(62)).state).toBe(disabled)
  })
})

test('a state change sends actions and notifications, each with its own id', () => {
  const recipients = [{ ssoIdentity: { identityStoreId: 'd-1', userId: 'u-1' } }]
  const model = alarmModel({
    alarmEventActions: {
      alarmActions: [
        { sns: { targetArn: 'arn:t' } },
        {
          iotTopicPublish: {
            mqttTopic: 'x',
            payload: { contentExpression: `'\${$input.In.temperature} degrees'`, type: 'STRING' },
          },
        },
      ],
    },
    alarmNotification: {
      notificationActions: [
        {
          action: { lambdaAction: { functionArn: 'arn:f' } },
          emailConfigurations: [{ from: 'a@example.com', recipients: { to: recipients } }],
        },
      ],
    },
  })
  const normal = respond(model, undefined, message({ temperature: 20 })).state
  const { effects, state } = respond(model, normal, message({ temperature: 80.5 }, 1))
  expect(effects).toMatchObject([
    { action: 'sns', eventName: 'ACTIVE', target: { targetArn: 'arn:t' } },
    { action: 'iotTopicPublish', target: { mqttTopic: 'x' }, payload: '80.5 degrees' },
    { action: 'notification', target: { functionArn: 'arn:f' } },
  ])
  expect(new Set(effects.map(({ id }) => id)).size).toBe(3)
  expect(JSON.parse(effects[0]?.payload ?? '')).toEqual({
    alarmModelName: 'hot',
    alarmModelVersion: '1',
    keyValue: 'K',
    severity: 2,
    stateUpdateTime: start + 1000,
    alarmState: {
      stateName: 'ACTIVE',
      ruleEvaluation: { simpleRule: { inputProperty: '80.5', operator: 'GREATER', threshold: '70' } },
    },
  })
  expect(JSON.parse(effects[2]?.payload ?? '')).toEqual({
    notificationEventPayload: effects[0]?.payload,
    emailConfigurations: [{ from: 'a@example.com', recipients: { to: recipients } }],
    smsConfigurations: [],
  })
  expect(respond(model, state, message({ temperature: 81 }, 2)).effects).toEqual([])
  for (const customerAction of [enable, reset])
    expect(respond(model, state, action(customerAction, 3)).effects).toHaveLength(3)
})
