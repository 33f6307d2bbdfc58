import { readdirSync, readFileSync } from 'node:fs'
import { Failure } from '@icosa/kernel'
import { describe, expect, test } from 'vitest'
import { checkDetectorModel } from '../models/check.ts'
import { diagram } from './diagram.ts'
import { readMessages, readModel } from './read.ts'
import { simulate } from './simulate.ts'
import { table } from './table.ts'

const examples = new URL('../../examples/', import.meta.url)
const file = (name: string) => readFileSync(new URL(name, examples), 'utf8')

interface Step {
  readonly key: string
  readonly trigger: string
  readonly states: readonly string[]
}

describe('the examples go through the expected states', () => {
  const names = readdirSync(examples, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entry.name : [],
  )
  expect(names).toHaveLength(4)

  test.each(names)('%s', (name) => {
    const model = readModel(file(`${name}/model.json`))
    const rows = simulate(model, readMessages(file(`${name}/messages.ndjson`)))
    const path: Step[] = rows.map(({ keyValue = '', trigger, transitions }) => ({
      key: keyValue,
      trigger,
      states: transitions.map(({ to }) => to),
    }))
    expect(path).toEqual(JSON.parse(file(`${name}/expected.json`)))
    expect(checkDetectorModel(model.detectorModelDefinition).filter(({ level }) => level === 'ERROR')).toEqual([])
  })
})

test('the motor example has the expected variables and deliveries', () => {
  const rows = simulate(
    readModel(file('motor-pressure/model.json')),
    readMessages(file('motor-pressure/messages.ndjson')),
  )
  const motor = rows.filter(({ keyValue }) => keyValue === 'A32')
  expect(motor.map(({ state }) => state.variables.readingsToGo)).toEqual([0, 3, 2, 1, 3, 2, 1, 0, 0])
  expect(rows.flatMap(({ effects }) => effects.map(({ target }) => target.targetArn))).toEqual([
    'arn:aws:sns:us-east-1:123456789012:pressure-too-high',
    'arn:aws:sns:us-east-1:123456789012:pressure-too-high',
    'arn:aws:sns:us-east-1:123456789012:pressure-normal',
  ])
})

test('the table has a line for every message and timer', () => {
  const rows = simulate(
    readModel(file('device-heartbeat/model.json')),
    readMessages(file('device-heartbeat/messages.ndjson')),
  )
  expect(table(rows.slice(5, 8))).toBe(
    [
      'time                  key     trigger        state             timers                        sends',
      '--------------------  ------  -------------  ----------------  ----------------------------  ------------------------------------------------------------',
      '2026-03-01T12:03:00Z  pump-1  Heartbeat      Online            silence=2026-03-01T12:06:00Z',
      '2026-03-01T12:04:30Z  pump-2  timer silence  Online > Offline                                sqs https://sqs.us-east-1.amazonaws.com/123456789012/offline',
      '2026-03-01T12:05:30Z  pump-2  Heartbeat      Offline > Online  silence=2026-03-01T12:08:30Z',
    ].join('\n'),
  )
})

test('the diagram has states, transitions and visited states', () => {
  const model = readModel(file('device-heartbeat/model.json'))
  expect(
    diagram(
      model.detectorModelDefinition,
      simulate(model, readMessages(file('device-heartbeat/messages.ndjson')).slice(0, 2)),
    ),
  ).toBe(
    [
      'stateDiagram-v2',
      '  state "Online" as s0',
      '  state "Offline" as s1',
      '  [*] --> s0',
      '  s0 --> s1 : silent for too long [timeout(#34;silence#34;)]',
      '  s1 --> s0 : back again [currentInput(#34;Heartbeat#34;)]',
      '  classDef visited stroke-width:3px',
      '  class s0 visited',
    ].join('\n'),
  )
})

describe('reading files', () => {
  const definition = readModel(file('device-heartbeat/model.json')).detectorModelDefinition
  const failure = (read: () => unknown) => {
    try {
      read()
    } catch (error) {
      if (error instanceof Failure) return error.message
      throw error
    }
    return undefined
  }

  test('a model as a create request, a describe response or a definition', () => {
    const detectorModelConfiguration = { detectorModelName: 'n', key: 'k', evaluationMethod: 'SERIAL' }
    const described = { detectorModel: { detectorModelDefinition: definition, detectorModelConfiguration } }
    expect(readModel(JSON.stringify(described))).toMatchObject({
      detectorModelDefinition: definition,
      key: 'k',
      evaluationMethod: 'SERIAL',
    })
    expect(readModel(JSON.stringify(definition)).detectorModelDefinition).toEqual(definition)
  })

  test('errors have a location', () => {
    expect(failure(() => readModel('{'))).toContain('model is not JSON')
    expect(failure(() => readModel('{}'))).toContain('model/states is required')
    expect(failure(() => readModel('{"states":[{}],"initialStateName":"A"}'))).toContain(
      'states/0/stateName is required',
    )
    const broken = JSON.stringify(definition).replaceAll('currentInput', 'lastInput')
    expect(failure(() => readModel(broken))).toContain("states[0].onInput.events[0].condition 'lastInput")
    expect(failure(() => readMessages('{}\n{"at"'))).toContain('line 2 is not JSON')
    expect(failure(() => readMessages('{"at":"noon"}'))).toContain("line 1 'noon' is not a time")
    const keyless = readMessages('{"inputName":"Heartbeat","payload":{}}')
    expect(failure(() => simulate({ detectorModelDefinition: definition, key: 'deviceId' }, keyless))).toContain(
      "message 1 has no 'deviceId'",
    )
  })

  test('messages without a time are a second apart, and time never decreases', () => {
    const lines = ['{"at":5000}', '', '{"inputName":"A"}', '{"at":"1970-01-01T00:00:01Z"}'].join('\n')
    expect(readMessages(lines).map(({ at, messageId }) => [at, messageId])).toEqual([
      [5000, '1'],
      [6000, '3'],
      [6000, '4'],
    ])
  })
})
