import { describe, expect, test } from 'vitest'
import { definition, event, set, state, timer, to } from '../engine/testing/models.ts'
import type { Action } from './actions/contract.ts'
import { checkDetectorModel, type ModelContext } from './check.ts'
import type { DetectorModelDefinition } from './contract.ts'
import { type Level, refusals } from './findings.ts'

/** Findings as `LEVEL type path: message`. */
function findingsOf(
  model: DetectorModelDefinition,
  levels: readonly Level[] = ['WARNING', 'ERROR'],
  context: ModelContext = {},
) {
  return checkDetectorModel(model, context)
    .filter(({ level }) => levels.includes(level))
    .map(
      ({ type, level, locations, message }) =>
        `${level} ${type} ${locations.map(({ path }) => path).join(' ')}: ${message}`,
    )
}

/** A valid model, except for its actions. */
const withActions = (...actions: Action[]) =>
  definition(state('A', { events: [event('e', '$input.In.x > 1', ...actions)] }))
const withCondition = (condition: string) =>
  definition(state('A', { events: [event('e', condition), event('uses an input', '$input.In.y > 1')] }))

const at = 'states[0].onInput.events[0]'

test('a valid model has only INFO findings', () => {
  const model = definition(
    state('A', {
      onEnter: [event('begin', 'true', set('n', '0'), timer('t', 60))],
      transitions: [to('B', '$input.In.x > $variable.n', set('n', '$variable.n + 1'))],
    }),
    state('B', { transitions: [to('A', 'timeout("t")')] }),
  )
  expect(findingsOf(model)).toEqual([])
  expect(findingsOf(model, ['INFO'])).toEqual([
    expect.stringContaining('INFO structure states[0].onInput.transitionEvents[0]: A timer that fires'),
    'INFO data-type : Inferred data types [Integer] for $variable.n',
  ])
})

describe('structure', () => {
  const good = state('A', { events: [event('e', '$input.In.x > 1')] })

  test('states: present, unique, known and reachable', () => {
    expect(findingsOf({ states: [], initialStateName: 'A' })).toContainEqual(
      expect.stringContaining('structure states: A detector model has at least one state'),
    )
    expect(findingsOf({ states: [good], initialStateName: 'Z' })).toContainEqual(
      expect.stringContaining("initialStateName: The initial state 'Z'"),
    )
    expect(findingsOf(definition(good, good))).toContain(
      "ERROR structure states[0].stateName states[1].stateName: 2 states are called 'A'.",
    )
    expect(findingsOf(definition(state('A', { transitions: [to('Nowhere', '$input.In.x > 1')] })))).toEqual([
      "ERROR structure states[0].onInput.transitionEvents[0].nextState: 'to Nowhere' leads to 'Nowhere', which is not a state.",
    ])
    const lost = definition(
      state('A', { transitions: [to('B', '$input.In.x > 1'), to('C', '1 > 2')] }),
      state('B', {}),
      state('C', {}),
    )
    expect(findingsOf(lost)).toEqual(["WARNING structure states[2]: No transition leads to the state 'C'."])
  })

  test('some condition must use an input', () => {
    expect(findingsOf(definition(state('A', { events: [event('e', 'true')] })))).toEqual([
      expect.stringContaining('must use an input'),
    ])
    expect(findingsOf(definition(state('A', { events: [event('e', 'currentInput("In")')] })))).toEqual([])
  })

  test('an action does one thing', () => {
    expect(findingsOf(withActions({ ...set('a', '1'), ...timer('t', 60) }))).toEqual([
      `ERROR structure ${at}.actions[0]: An action does one thing; split setVariable and setTimer.`,
    ])
    expect(findingsOf(withActions({ setTimer: { timerName: 't' } }))).toEqual([
      expect.stringContaining('either seconds or a durationExpression'),
    ])
    const both = { setTimer: { timerName: 't', seconds: 60, durationExpression: '60' } }
    expect(findingsOf(withActions(both))).toEqual([expect.stringContaining('either seconds or a durationExpression')])
    expect(findingsOf(withActions({ iotSiteWise: { assetId: "'a'" } }))).toEqual([
      expect.stringContaining('Give either propertyAlias'),
    ])
  })

  test('unreachable actions and timers that restart themselves', () => {
    const never = withCondition('false && true')
    expect(
      findingsOf({
        ...never,
        states: [state('A', { events: [event('e', '1 == 2', set('a', '1')), event('f', '$input.In.x')] })],
      }),
    ).toEqual([`WARNING structure ${at}: The actions of 'e' never run: its condition is always false.`])
    const loop = event('tick', 'timeout("t")', timer('t', 60), { sns: { targetArn: 'arn:t' } })
    expect(
      findingsOf(definition(state('A', { events: [loop, event('in', 'currentInput("In")', timer('t', 60))] }))),
    ).toEqual([`WARNING structure ${at}: This timer restarts itself and sends something each time.`])
  })
})

test('supported-actions: an unknown action', () => {
  const action = { sendFax: { number: '1' } } as unknown as Action
  expect(findingsOf(withActions(action))).toEqual([
    expect.stringContaining(
      `ERROR supported-actions ${at}.actions[0]: 'sendFax' is not an action; there are setVariable`,
    ),
  ])
})

test('service-limits', () => {
  const many = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index))
  const input = event('e', '$input.In.x > 1')
  const transitions = many(21, (index) => to(`S${index}`, '$input.In.x > 1'))
  expect(
    findingsOf(definition(...many(21, (index) => state(`S${index}`, { transitions: transitions.slice(0, 20) })))),
  ).toContain('ERROR service-limits states: There are more than 20 states.')
  expect(findingsOf(definition(state('A', { events: many(21, () => input) })))).toEqual([
    'ERROR service-limits states[0]: There are more than 20 events in a state.',
  ])
  expect(findingsOf(definition(state('A', { transitions: many(21, () => to('A', '$input.In.x > 1')) })))).toEqual([
    'ERROR service-limits states[0]: There are more than 20 transition events in a state.',
  ])
  expect(findingsOf(withActions(...many(11, () => set('a', '1'))))).toEqual([
    'ERROR service-limits states[0]: There are more than 10 actions in an event.',
  ])
  expect(findingsOf(withActions(timer('t', 59)))).toEqual([expect.stringContaining('WARNING service-limits')])
  const payload = { contentExpression: `'${'é'.repeat(600)}'`, type: 'STRING' as const }
  expect(findingsOf(withActions({ sns: { targetArn: 'arn:t', payload } }))).toEqual([
    expect.stringContaining('longer than 1024 bytes'),
  ])
  expect(findingsOf(withActions(), ['WARNING'], { modelsOfInput: new Map([['In', 10]]) })).toEqual([
    expect.stringContaining("The input 'In' is already routed to 10 detector models"),
  ])
})

describe('expression-syntax', () => {
  test('a refusal has path and character', () => {
    const model = withCondition('$input.In.x > > 1')
    expect(refusals(checkDetectorModel(model), 'body/detectorModelDefinition')).toEqual([
      {
        at: `body/detectorModelDefinition/${at}.condition`,
        message: "'$input.In.x > > 1', character 15: a value is expected before '>'.",
      },
    ])
  })

  test('in every field with expressions', () => {
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
      expect(findingsOf(withActions(action))).toEqual([
        expect.stringContaining(`ERROR expression-syntax ${at}.actions[0].${path}: `),
      ])
  })
})

describe('data-type', () => {
  test.each([
    ['true + false', "'+' takes"],
    ['1 + "a" == 2', "'+' takes"],
    ['$input.In.x + 1', 'A condition must be true or false, not Integer or Decimal'],
    ['"yes"', 'A condition must be true or false, not String'],
    ['!$input.In.x && $input.In.x > 1', 'Incompatible data types [Boolean, Integer or Decimal] for $input.In.x'],
    ['startsWith(5, "a")', 'startsWith() takes String, not Integer'],
    ['1 < 2 < 3', "'<' takes"],
    ['convert(String, 1) > 2', "'>' takes"],
  ])('%s', (condition, message) => {
    expect(findingsOf(withCondition(condition))).toContainEqual(
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
    expect(findingsOf(withCondition(condition))).toEqual([])
  })

  test('a reference used both as a number and as a text', () => {
    const model = definition(state('A', { events: [event('e', '$input.In.x > 1'), event('f', '$input.In.x == "on"')] }))
    expect(findingsOf(model)).toEqual([
      'WARNING data-type states[0].onInput.events[0].condition states[0].onInput.events[1].condition: $input.In.x is used as Integer or Decimal and as String; one of the two will fail.',
    ])
  })

  test('the kinds of a variable are inferred, also through others', () => {
    const model = definition(
      state('A', {
        onEnter: [event('begin', 'true', set('a', '"text"'), set('b', '$variable.a'), set('c', '$variable.b'))],
        events: [event('e', '$input.In.x > $variable.c'), event('f', '$variable.c + 1 == 2')],
      }),
    )
    expect(findingsOf(model)).toEqual([
      expect.stringContaining("ERROR data-type states[0].onInput.events[1].condition: '+' takes"),
    ])
    expect(findingsOf(model, ['INFO'])).toContain('INFO data-type : Inferred data types [String] for $variable.c')
  })

  test('durations are numbers, JSON payloads strings', () => {
    expect(findingsOf(withActions({ setTimer: { timerName: 't', durationExpression: '"60"' } }))).toEqual([
      expect.stringContaining('The duration of a timer must be a number, not String'),
    ])
    const payload = { contentExpression: '5', type: 'JSON' } as const
    expect(findingsOf(withActions({ sns: { targetArn: 'arn:t', payload } }))).toEqual([
      expect.stringContaining('A payload of type JSON must be a string, not Integer'),
    ])
  })
})

test('referenced-data: variables and timers that are never set, or maybe not yet', () => {
  expect(findingsOf(withCondition('$variable.never > 1'))).toContain(
    `ERROR referenced-data ${at}.condition: The variable 'never' is used but never set.`,
  )
  expect(findingsOf(withCondition('timeout("never")'))).toEqual([
    `ERROR referenced-data ${at}.condition: The timer 'never' is used but never set.`,
  ])
  expect(findingsOf(withActions({ resetTimer: { timerName: 'never' } }))).toEqual([
    `ERROR referenced-data ${at}.actions[0]: The timer 'never' is used but never set.`,
  ])
  const perhaps = definition(
    state('A', { transitions: [to('B', '$input.In.x > 1', set('n', '1')), to('B', '$input.In.x < 1')] }),
    state('B', { events: [event('reads', '$variable.n == 1', set('m', '$variable.n'))] }),
  )
  expect(findingsOf(perhaps)).toEqual([
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
  expect(findingsOf(model, ['ERROR'], { inputs: new Map([['In', { attributes }]]) })).toEqual([
    "ERROR referenced-resource states[0].onInput.events[1].condition: The input 'In' has no attribute 'other'; add it to the input's definition.",
    "ERROR referenced-resource states[0].onInput.events[1].condition: There is no input 'Gone'; create it first.",
    "ERROR referenced-resource states[0].onInput.events[1].actions[0].iotEvents.inputName: There is no input 'Elsewhere'; create it first.",
  ])
})
