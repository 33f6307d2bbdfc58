import { describe, expect, test } from 'vitest'
import { definition, event, set, state, timer, to } from '../engine/testing/models.ts'
import type { Action } from './actions/contract.ts'
import { checkDetectorModel, type Surroundings } from './check.ts'
import type { DetectorModelDefinition } from './contract.ts'
import { type Level, refusals } from './findings.ts'

/** The findings as `LEVEL type path: message`; remarks only if asked for. */
function found(
  model: DetectorModelDefinition,
  levels: readonly Level[] = ['WARNING', 'ERROR'],
  around: Surroundings = {},
) {
  return checkDetectorModel(model, around)
    .filter(({ level }) => levels.includes(level))
    .map(
      ({ type, level, locations, message }) =>
        `${level} ${type} ${locations.map(({ path }) => path).join(' ')}: ${message}`,
    )
}

/** A model that is fine, but for the actions it performs and the events it has beside. */
const withActions = (...actions: Action[]) =>
  definition(state('A', { events: [event('e', '$input.In.x > 1', ...actions)] }))
const withCondition = (condition: string) =>
  definition(state('A', { events: [event('e', condition), event('uses an input', '$input.In.y > 1')] }))

const at = 'states[0].onInput.events[0]'

test('a model without faults has no findings but remarks', () => {
  const model = definition(
    state('A', {
      onEnter: [event('begin', 'true', set('n', '0'), timer('t', 60))],
      transitions: [to('B', '$input.In.x > $variable.n', set('n', '$variable.n + 1'))],
    }),
    state('B', { transitions: [to('A', 'timeout("t")')] }),
  )
  expect(found(model)).toEqual([])
  expect(found(model, ['INFO'])).toEqual([
    expect.stringContaining('INFO structure states[0].onInput.transitionEvents[0]: A timer that fires'),
    'INFO data-type : Inferred data types [Integer] for $variable.n',
  ])
})

describe('structure', () => {
  const good = state('A', { events: [event('e', '$input.In.x > 1')] })

  test('states: there, unique, known and reached', () => {
    expect(found({ states: [], initialStateName: 'A' })).toContainEqual(
      expect.stringContaining('structure states: A detector model has at least one state'),
    )
    expect(found({ states: [good], initialStateName: 'Z' })).toContainEqual(
      expect.stringContaining("initialStateName: The initial state 'Z'"),
    )
    expect(found(definition(good, good))).toContain(
      "ERROR structure states[0].stateName states[1].stateName: 2 states are called 'A'.",
    )
    expect(found(definition(state('A', { transitions: [to('Nowhere', '$input.In.x > 1')] })))).toEqual([
      "ERROR structure states[0].onInput.transitionEvents[0].nextState: 'to Nowhere' leads to 'Nowhere', which is not a state.",
    ])
    const lost = definition(
      state('A', { transitions: [to('B', '$input.In.x > 1'), to('C', '1 > 2')] }),
      state('B', {}),
      state('C', {}),
    )
    expect(found(lost)).toEqual(["WARNING structure states[2]: No transition leads to the state 'C'."])
  })

  test('some condition uses an input', () => {
    expect(found(definition(state('A', { events: [event('e', 'true')] })))).toEqual([
      expect.stringContaining('has to use an input'),
    ])
    expect(found(definition(state('A', { events: [event('e', 'currentInput("In")')] })))).toEqual([])
  })

  test('an action does one thing', () => {
    expect(found(withActions({ ...set('a', '1'), ...timer('t', 60) }))).toEqual([
      `ERROR structure ${at}.actions[0]: An action does one thing; split setVariable and setTimer.`,
    ])
    expect(found(withActions({ setTimer: { timerName: 't' } }))).toEqual([
      expect.stringContaining('either seconds or a durationExpression'),
    ])
    const both = { setTimer: { timerName: 't', seconds: 60, durationExpression: '60' } }
    expect(found(withActions(both))).toEqual([expect.stringContaining('either seconds or a durationExpression')])
    expect(found(withActions({ iotSiteWise: { assetId: "'a'" } }))).toEqual([
      expect.stringContaining('Give either propertyAlias'),
    ])
  })

  test('actions that never happen, and timers that start themselves', () => {
    const never = withCondition('false && true')
    expect(
      found({
        ...never,
        states: [state('A', { events: [event('e', '1 == 2', set('a', '1')), event('f', '$input.In.x')] })],
      }),
    ).toEqual([`WARNING structure ${at}: The actions of 'e' never happen: it is always false.`])
    const loop = event('tick', 'timeout("t")', timer('t', 60), { sns: { targetArn: 'arn:t' } })
    expect(
      found(definition(state('A', { events: [loop, event('in', 'currentInput("In")', timer('t', 60))] }))),
    ).toEqual([`WARNING structure ${at}: This timer starts itself again and sends something every time.`])
  })
})

test('supported-actions: an action that there is not', () => {
  const action = { sendFax: { number: '1' } } as unknown as Action
  expect(found(withActions(action))).toEqual([
    expect.stringContaining(
      `ERROR supported-actions ${at}.actions[0]: 'sendFax' is not an action; there are setVariable`,
    ),
  ])
})

test('service-limits', () => {
  const many = <T>(count: number, one: (index: number) => T) => Array.from({ length: count }, (_, index) => one(index))
  const input = event('e', '$input.In.x > 1')
  const transitions = many(21, (index) => to(`S${index}`, '$input.In.x > 1'))
  expect(
    found(definition(...many(21, (index) => state(`S${index}`, { transitions: transitions.slice(0, 20) })))),
  ).toContain('ERROR service-limits states: There are more than 20 states.')
  expect(found(definition(state('A', { events: many(21, () => input) })))).toEqual([
    'ERROR service-limits states[0]: There are more than 20 events in a state.',
  ])
  expect(found(definition(state('A', { transitions: many(21, () => to('A', '$input.In.x > 1')) })))).toEqual([
    'ERROR service-limits states[0]: There are more than 20 transition events in a state.',
  ])
  expect(found(withActions(...many(11, () => set('a', '1'))))).toEqual([
    'ERROR service-limits states[0]: There are more than 10 actions in an event.',
  ])
  expect(found(withActions(timer('t', 59)))).toEqual([expect.stringContaining('WARNING service-limits')])
  const payload = { contentExpression: `'${'é'.repeat(600)}'`, type: 'STRING' as const }
  expect(found(withActions({ sns: { targetArn: 'arn:t', payload } }))).toEqual([
    expect.stringContaining('longer than 1024 bytes'),
  ])
  expect(found(withActions(), ['WARNING'], { modelsOfInput: new Map([['In', 10]]) })).toEqual([
    expect.stringContaining("The input 'In' is already routed to 10 detector models"),
  ])
})

describe('expression-syntax', () => {
  test('a refusal names the place and the character', () => {
    const model = withCondition('$input.In.x > > 1')
    expect(refusals(checkDetectorModel(model), 'body/detectorModelDefinition')).toEqual([
      {
        at: `body/detectorModelDefinition/${at}.condition`,
        message: "'$input.In.x > > 1', character 15: a value is expected before '>'.",
      },
    ])
  })

  test('in every place where expressions stand', () => {
    const payload = { contentExpression: "'open", type: 'JSON' } as const
    const broken: readonly (readonly [string, Action])[] = [
      ['setVariable.value', set('a', 'hello')],
      ['setTimer.durationExpression', { setTimer: { timerName: 't', durationExpression: '6 0' } }],
      ['sns.payload.contentExpression', { sns: { targetArn: 'arn:t', payload } }],
      ['iotTopicPublish.mqttTopic', { iotTopicPublish: { mqttTopic: "'a" } }],
      ['dynamoDBv2.tableName', { dynamoDBv2: { tableName: 'Table' } }],
      ['dynamoDB.hashKeyValue', { dynamoDB: { tableName: "'t'", hashKeyField: "'f'", hashKeyValue: '1 +' } }],
      [
        'iotSiteWise.propertyValue.value.integerValue',
        { iotSiteWise: { propertyAlias: "'a'", propertyValue: { value: { integerValue: '(' } } } },
      ],
    ]
    for (const [path, action] of broken)
      expect(found(withActions(action))).toEqual([
        expect.stringContaining(`ERROR expression-syntax ${at}.actions[0].${path}: `),
      ])
  })
})

describe('data-type', () => {
  test.each([
    ['true + false', "'+' takes"],
    ['1 + "a" == 2', "'+' takes"],
    ['$input.In.x + 1', 'A condition has to be true or false, not Integer or Decimal'],
    ['"yes"', 'A condition has to be true or false, not String'],
    ['!$input.In.x && $input.In.x > 1', 'Incompatible data types [Boolean, Integer or Decimal] for $input.In.x'],
    ['startsWith(5, "a")', 'startsWith() takes String, not Integer'],
    ['1 < 2 < 3', "'<' takes"],
    ['convert(String, 1) > 2', "'>' takes"],
  ])('%s', (condition, message) => {
    expect(found(withCondition(condition))).toContainEqual(
      expect.stringContaining(`ERROR data-type ${at}.condition: ${message}`),
    )
  })

  test.each([
    '$input.In.x > 1 && $input.In.x < 5.5',
    '$input.In.a == $input.In.b',
    '$input.In.a + $input.In.b == "ab"',
    '-$input.In.x < ~5',
    '!$input.In.on || isNull($input.In.on)',
    '$input.In.list[0] * 2.5 >= 1 / 3',
    'convert($input.In.t, 5) == "5"',
  ])('fine: %s', (condition) => {
    expect(found(withCondition(condition))).toEqual([])
  })

  test('a reference that is a number here and a text there', () => {
    const model = definition(state('A', { events: [event('e', '$input.In.x > 1'), event('f', '$input.In.x == "on"')] }))
    expect(found(model)).toEqual([
      'WARNING data-type states[0].onInput.events[0].condition states[0].onInput.events[1].condition: $input.In.x is used as Integer or Decimal and as String; one of the two will fail.',
    ])
  })

  test('a variable has the kinds that it is set to, also by way of others', () => {
    const model = definition(
      state('A', {
        onEnter: [event('begin', 'true', set('a', '"text"'), set('b', '$variable.a'), set('c', '$variable.b'))],
        events: [event('e', '$input.In.x > $variable.c'), event('f', '$variable.c + 1 == 2')],
      }),
    )
    expect(found(model)).toEqual([
      expect.stringContaining("ERROR data-type states[0].onInput.events[1].condition: '+' takes"),
    ])
    expect(found(model, ['INFO'])).toContain('INFO data-type : Inferred data types [String] for $variable.c')
  })

  test('durations are numbers, JSON payloads strings', () => {
    expect(found(withActions({ setTimer: { timerName: 't', durationExpression: '"60"' } }))).toEqual([
      expect.stringContaining('The duration of a timer has to be a number, not String'),
    ])
    const payload = { contentExpression: '5', type: 'JSON' } as const
    expect(found(withActions({ sns: { targetArn: 'arn:t', payload } }))).toEqual([
      expect.stringContaining('A payload of type JSON has to be a string, not Integer'),
    ])
  })
})

test('referenced-data: variables and timers that are never set, or perhaps not yet', () => {
  expect(found(withCondition('$variable.never > 1'))).toContain(
    `ERROR referenced-data ${at}.condition: The variable 'never' is used and never set.`,
  )
  expect(found(withCondition('timeout("never")'))).toEqual([
    `ERROR referenced-data ${at}.condition: The timer 'never' is used and never set.`,
  ])
  expect(found(withActions({ resetTimer: { timerName: 'never' } }))).toEqual([
    `ERROR referenced-data ${at}.actions[0]: The timer 'never' is used and never set.`,
  ])
  const perhaps = definition(
    state('A', { transitions: [to('B', '$input.In.x > 1', set('n', '1')), to('B', '$input.In.x < 1')] }),
    state('B', { events: [event('reads', '$variable.n == 1', set('m', '$variable.n'))] }),
  )
  expect(found(perhaps)).toEqual([
    "WARNING referenced-data states[1].onInput.events[0].condition states[1].onInput.events[0].actions[0].setVariable.value: The variable 'n' may not have been set yet where it is read.",
  ])
})

test('referenced-resource: inputs and their attributes', () => {
  const model = definition(
    state('A', {
      events: [
        event('e', '$input.In.sensor.temperature > 1 && $input.In.list[2] > 1 && $input.In.`motor id` == "A"'),
        event('f', '$input.In.other > 1 || currentInput("Gone")', { iotEvents: { inputName: 'Elsewhere' } }),
      ],
    }),
  )
  const attributes = ['sensor', 'list', '`motor id`'].map((jsonPath) => ({ jsonPath }))
  expect(found(model, ['ERROR'], { inputs: new Map([['In', { attributes }]]) })).toEqual([
    "ERROR referenced-resource states[0].onInput.events[1].condition: The input 'In' has no attribute 'other'; add it to the input's definition.",
    "ERROR referenced-resource states[0].onInput.events[1].condition: There is no input 'Gone'; create it first.",
    "ERROR referenced-resource states[0].onInput.events[1].actions[0].iotEvents.inputName: There is no input 'Elsewhere'; create it first.",
  ])
})
