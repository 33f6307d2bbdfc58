import { describe, expect, test } from 'vitest'
import type { Action, Payload } from '../models/actions/contract.ts'
import { definition, detector, event, set, start, state, timer } from './testing/models.ts'

/** Performs an action on a message, with a few variables. */
function perform(action: Action) {
  const model = definition(
    state('Dangerous', {
      onEnter: [
        event(
          'prepare',
          'true',
          set('count', '3'),
          set('limit', '70.0'),
          set('name', '"A \\"quoted\\" name"'),
          timer('t', 60),
        ),
      ],
      events: [event('Pressure Threshold Breached', '$input.In.pressure > 70', action)],
    }),
  )
  const { effects, errors } = detector(model).receive({ pressure: 80, id: 'A32' })
  return { effect: effects[0], errors }
}

const topic = (mqttTopic: string, payload?: Payload): Action => ({
  iotTopicPublish: { mqttTopic, ...(payload && { payload }) },
})
const custom = (contentExpression: string, type: Payload['type']): Payload => ({ contentExpression, type })

describe('payloads', () => {
  test('the default payload has detector, trigger and state', () => {
    const { effect } = perform({ sns: { targetArn: 'arn:aws:sns:us-east-1:123456789012:t' } })
    expect(effect).toMatchObject({ action: 'sns', target: { targetArn: 'arn:aws:sns:us-east-1:123456789012:t' } })
    expect(JSON.parse(effect?.payload ?? '')).toEqual({
      eventTime: start,
      payload: {
        actionExecutionId: effect?.id,
        detector: { detectorModelName: 'tested', keyValue: 'K', detectorModelVersion: '1' },
        eventTriggerDetails: { inputName: 'In', messageId: 'm1', triggerType: 'Message' },
        state: {
          stateName: 'Dangerous',
          variables: { count: 3, limit: 70, name: 'A "quoted" name' },
          timers: { t: start + 60_000 },
        },
      },
      eventName: 'Pressure Threshold Breached',
    })
    expect(effect?.payload).toContain('"limit":70.0')
  })

  test('type STRING: the value as text', () => {
    expect(perform(topic('x', custom('$variable.count * 2', 'STRING'))).effect?.payload).toBe('6')
    expect(perform(topic('x', custom("'Motor ' + $input.In.id", 'STRING'))).effect?.payload).toBe('Motor A32')
  })

  test('type JSON: a string, sent with an error if it is not valid JSON', () => {
    const json = custom(`'{"id": "\${$input.In.id}", "limit": \${$variable.limit}}'`, 'JSON')
    expect(perform(topic('x', json))).toMatchObject({ effect: { payload: '{"id": "A32", "limit": 70.0}' }, errors: [] })
    expect(perform(topic('x', custom("'{'", 'JSON')))).toMatchObject({
      effect: { payload: '{' },
      errors: [{ message: 'the payload is not JSON' }],
    })
    expect(perform(topic('x', custom('$variable.count', 'JSON'))).effect).toBeUndefined()
  })

  test('an undefined value: nothing is sent', () => {
    const { effect, errors } = perform(topic('x', custom('$input.In.missing', 'STRING')))
    expect(effect).toBeUndefined()
    expect(errors).toMatchObject([
      { path: 'states[0].onInput.events[0].actions[0].iotTopicPublish.payload.contentExpression' },
    ])
  })
})

test('the id of an effect is deterministic and unique', () => {
  const action = topic('x')
  const model = definition(state('A', { events: [event('e', '$input.In.n > 0', action, action)] }))
  const first = detector(model).receive({ n: 1 }).effects
  expect(detector(model).receive({ n: 1 }).effects).toEqual(first)
  const ids = [...first, ...detector(model).receive({ n: 1 }, 1).effects].map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

test('a topic is literal unless it has quotes or references', () => {
  const target = (text: string) => perform(topic(text)).effect?.target
  expect(target('hvac/Heating/Off')).toEqual({ mqttTopic: 'hvac/Heating/Off' })
  expect(target('1/2')).toEqual({ mqttTopic: '1/2' })
  expect(target('$aws/things/x/shadow')).toEqual({ mqttTopic: '$aws/things/x/shadow' })
  expect(target("'motors/' + $input.In.id")).toEqual({ mqttTopic: 'motors/A32' })
  expect(target(`'motors/\${$input.In.id}/\${$variable.count}'`)).toEqual({ mqttTopic: 'motors/A32/3' })
  expect(target('$variable.missing')).toBeUndefined()
})

test('each kind of action keeps its own parameters', () => {
  const text = custom("'hé'", 'STRING')
  expect(perform({ lambda: { functionArn: 'arn:f', payload: text } }).effect).toMatchObject({
    target: { functionArn: 'arn:f' },
    payload: 'hé',
  })
  expect(perform({ iotEvents: { inputName: 'Next', payload: text } }).effect).toMatchObject({
    target: { inputName: 'Next' },
  })
  expect(perform({ sqs: { queueUrl: 'https://q', useBase64: true, payload: text } }).effect?.payload).toBe('aMOp')
  expect(perform({ sqs: { queueUrl: 'https://q', payload: text } }).effect?.payload).toBe('hé')
  expect(perform({ firehose: { deliveryStreamName: 's', separator: '\n', payload: text } }).effect).toMatchObject({
    target: { deliveryStreamName: 's' },
    payload: 'hé\n',
  })
})

test('tables: all parameters are expressions, and omitted ones have defaults', () => {
  const keys = { tableName: "'Table ' + $input.In.id", hashKeyField: "'id'", hashKeyValue: '$variable.count' }
  expect(perform({ dynamoDB: keys }).effect?.target).toEqual({
    ...{ operation: 'INSERT', hashKeyType: 'STRING', payloadField: 'payload' },
    ...{ tableName: 'Table A32', hashKeyField: 'id', hashKeyValue: '3' },
  })
  const text = perform({
    dynamoDB: { ...keys, rangeKeyField: "'at'", operation: "'UPDATE'", payload: custom("'hé'", 'STRING') },
  })
  expect(text.effect).toMatchObject({
    target: { operation: 'UPDATE', rangeKeyType: 'STRING', payloadField: 'payload_raw' },
    payload: 'aMOp',
  })
  expect(perform({ dynamoDBv2: { tableName: "'T'" } }).effect).toMatchObject({ target: { tableName: 'T' } })
})

test('asset properties: a value, the time of the event and an id', () => {
  const { effect } = perform({
    iotSiteWise: {
      propertyAlias: `'/motor/\${$input.In.id}'`,
      propertyValue: { value: { doubleValue: '$variable.limit' } },
    },
  })
  const propertyValue = {
    timestamp: { timeInSeconds: String(start / 1000), offsetInNanos: '0' },
    value: { doubleValue: '70.0' },
  }
  expect(effect?.target).toEqual({ entryId: effect?.id, propertyAlias: '/motor/A32', propertyValue })
  expect(JSON.parse(effect?.payload ?? '')).toEqual(propertyValue)
})
