import { describe, expect, test } from 'vitest'
import type { Action, Payload } from '../models/actions/contract.ts'
import { definition, detector, event, set, start, state, timer } from './testing/models.ts'

/** What an action sends, on a message and with a few variables. */
function sent(action: Action) {
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
  test('the standard one tells of the detector, of what has happened, and of the state at that moment', () => {
    const { effect } = sent({ sns: { targetArn: 'arn:aws:sns:us-east-1:123456789012:t' } })
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

  test('of type STRING: the value as text', () => {
    expect(sent(topic('x', custom('$variable.count * 2', 'STRING'))).effect?.payload).toBe('6')
    expect(sent(topic('x', custom("'Motor ' + $input.In.id", 'STRING'))).effect?.payload).toBe('Motor A32')
  })

  test('of type JSON: a string, sent with a warning if it is not JSON after all', () => {
    const json = custom(`'{"id": "\${$input.In.id}", "limit": \${$variable.limit}}'`, 'JSON')
    expect(sent(topic('x', json))).toMatchObject({ effect: { payload: '{"id": "A32", "limit": 70.0}' }, errors: [] })
    expect(sent(topic('x', custom("'{'", 'JSON')))).toMatchObject({
      effect: { payload: '{' },
      errors: [{ message: 'the payload is not JSON' }],
    })
    expect(sent(topic('x', custom('$variable.count', 'JSON'))).effect).toBeUndefined()
  })

  test('that cannot be worked out: nothing is sent', () => {
    const { effect, errors } = sent(topic('x', custom('$input.In.missing', 'STRING')))
    expect(effect).toBeUndefined()
    expect(errors).toMatchObject([
      { path: 'states[0].onInput.events[0].actions[0].iotTopicPublish.payload.contentExpression' },
    ])
  })
})

test('an effect has the same id whenever it is worked out, and no other has it', () => {
  const action = topic('x')
  const model = definition(state('A', { events: [event('e', '$input.In.n > 0', action, action)] }))
  const once = detector(model).receive({ n: 1 }).effects
  expect(detector(model).receive({ n: 1 }).effects).toEqual(once)
  const ids = [...once, ...detector(model).receive({ n: 1 }, 1).effects].map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

test('a topic stands for itself unless it has quotes or references', () => {
  const target = (text: string) => sent(topic(text)).effect?.target
  expect(target('hvac/Heating/Off')).toEqual({ mqttTopic: 'hvac/Heating/Off' })
  expect(target('1/2')).toEqual({ mqttTopic: '1/2' })
  expect(target('$aws/things/x/shadow')).toEqual({ mqttTopic: '$aws/things/x/shadow' })
  expect(target("'motors/' + $input.In.id")).toEqual({ mqttTopic: 'motors/A32' })
  expect(target(`'motors/\${$input.In.id}/\${$variable.count}'`)).toEqual({ mqttTopic: 'motors/A32/3' })
  expect(target('$variable.missing')).toBeUndefined()
})

test('each kind of action keeps its own parameters', () => {
  const text = custom("'hé'", 'STRING')
  expect(sent({ lambda: { functionArn: 'arn:f', payload: text } }).effect).toMatchObject({
    target: { functionArn: 'arn:f' },
    payload: 'hé',
  })
  expect(sent({ iotEvents: { inputName: 'Next', payload: text } }).effect).toMatchObject({
    target: { inputName: 'Next' },
  })
  expect(sent({ sqs: { queueUrl: 'https://q', useBase64: true, payload: text } }).effect?.payload).toBe('aMOp')
  expect(sent({ sqs: { queueUrl: 'https://q', payload: text } }).effect?.payload).toBe('hé')
  expect(sent({ firehose: { deliveryStreamName: 's', separator: '\n', payload: text } }).effect).toMatchObject({
    target: { deliveryStreamName: 's' },
    payload: 'hé\n',
  })
})

test('tables: all parameters are expressions, and those left out have their defaults', () => {
  const keys = { tableName: "'Table ' + $input.In.id", hashKeyField: "'id'", hashKeyValue: '$variable.count' }
  expect(sent({ dynamoDB: keys }).effect?.target).toEqual({
    ...{ operation: 'INSERT', hashKeyType: 'STRING', payloadField: 'payload' },
    ...{ tableName: 'Table A32', hashKeyField: 'id', hashKeyValue: '3' },
  })
  const text = sent({
    dynamoDB: { ...keys, rangeKeyField: "'at'", operation: "'UPDATE'", payload: custom("'hé'", 'STRING') },
  })
  expect(text.effect).toMatchObject({
    target: { operation: 'UPDATE', rangeKeyType: 'STRING', payloadField: 'payload_raw' },
    payload: 'aMOp',
  })
  expect(sent({ dynamoDBv2: { tableName: "'T'" } }).effect).toMatchObject({ target: { tableName: 'T' } })
})

test('asset properties: a value, the time of the event and an id', () => {
  const { effect } = sent({
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
