import { expect, test } from 'vitest'
import { checkAlarmModel } from './check.ts'
import type { AlarmModelDefinition } from './contract.ts'

const rule = (inputProperty: string, threshold: string): AlarmModelDefinition => ({
  alarmRule: { simpleRule: { inputProperty, comparisonOperator: 'GREATER', threshold } },
})
const inputs = new Map([['In', { attributes: [{ jsonPath: 'temperature' }] }]])
const findingsOf = (model: AlarmModelDefinition) =>
  checkAlarmModel(model, inputs).map(({ type, locations: [place], message }) => `${type} ${place?.path}: ${message}`)

test('a rule must read an existing input', () => {
  expect(findingsOf(rule('$input.In.temperature', '70'))).toEqual([])
  expect(findingsOf({ alarmRule: {} })).toEqual(['structure alarmRule: An alarm model must have a simpleRule.'])
  expect(findingsOf(rule('70', '70'))).toEqual([expect.stringContaining('must read an input')])
  expect(findingsOf(rule('$input.In.temperature', '70 +'))).toEqual([
    "expression-syntax alarmRule.simpleRule.threshold: '70 +', character 5: a value is expected here, but the expression ends.",
  ])
  expect(findingsOf(rule('$input.Out.x', '$input.In.humidity'))).toEqual([
    "referenced-resource alarmRule.simpleRule.inputProperty: There is no input 'Out'; create it first.",
    "referenced-resource alarmRule.simpleRule.threshold: The input 'In' has no attribute 'humidity'; add it to the input's definition.",
  ])
  expect(findingsOf(rule('$input.In.temperature', '$variable.x'))).toEqual([
    expect.stringContaining('no variables and no timers'),
  ])
})

test('an action must be supported by alarms', () => {
  const withAction = (action: object) =>
    findingsOf({ ...rule('$input.In.temperature', '70'), alarmEventActions: { alarmActions: [action] } })
  expect(withAction({ sns: { targetArn: 'arn:t' } })).toEqual([])
  expect(withAction({ setVariable: { variableName: 'a', value: '1' } })).toEqual([
    expect.stringContaining("'setVariable' is not an action of an alarm"),
  ])
  expect(withAction({})).toEqual([expect.stringContaining('supported-actions')])
  expect(withAction({ sns: { targetArn: 'a' }, sqs: { queueUrl: 'b' } })).toEqual([
    expect.stringContaining('split sns and sqs'),
  ])
})
