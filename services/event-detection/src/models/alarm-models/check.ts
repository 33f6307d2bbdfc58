import { maxConditionLength } from '../../expressions/parse.ts'
import { deliveryKinds } from '../actions/contract.ts'
import { kindsOf } from '../actions/fields.ts'
import { checkSyntax } from '../check.ts'
import type { InputDefinition } from '../contract.ts'
import { type Finding, finding } from '../findings.ts'
import { expressionsIn, type LocatedExpression, locate } from '../located.ts'
import { checkInputs, inputsOf } from '../referenced-resources.ts'
import type { AlarmModelDefinition } from './contract.ts'

/** Static checks of an alarm model. One with an ERROR must not be created. */
export function checkAlarmModel(
  model: AlarmModelDefinition,
  inputs?: ReadonlyMap<string, InputDefinition>,
): readonly Finding[] {
  const rule = model.alarmRule.simpleRule
  const actions = model.alarmEventActions?.alarmActions ?? []
  const ruleExpressions = (['inputProperty', 'threshold'] as const).flatMap((name) =>
    rule ? [locate(rule[name], `alarmRule.simpleRule.${name}`, 'value', maxConditionLength)] : [],
  )
  const actionExpressions = actions.flatMap((action, index) =>
    expressionsIn(action, `alarmEventActions.alarmActions[${index}]`),
  )
  const expressions = [...ruleExpressions, ...actionExpressions]
  return [
    ...checkRule(ruleExpressions),
    ...actions.flatMap((action, index) => checkAction(action, `alarmEventActions.alarmActions[${index}]`)),
    ...checkSyntax(expressions),
    ...checkData(expressions),
    ...(inputs ? checkInputs(inputsOf({ expressions }), inputs) : []),
  ]
}

function checkRule([property]: readonly LocatedExpression[]): readonly Finding[] {
  if (!property) return [finding('structure', 'ERROR', 'An alarm model must have a simpleRule.', 'alarmRule')]
  if (!property.parsed.node || inputsOf({ expressions: [property] }).length > 0) return []
  return [finding('structure', 'ERROR', 'The inputProperty must read an input: $input.<name>.<path>.', property.path)]
}

function checkAction(action: object, path: string): readonly Finding[] {
  const kinds = kindsOf(action)
  const isDelivery = kinds.every((kind) => (deliveryKinds as readonly string[]).includes(kind))
  if (kinds.length === 0 || !isDelivery) {
    const message = `'${Object.keys(action).join(', ')}' is not an action of an alarm; there are ${deliveryKinds.join(', ')}.`
    return [finding('supported-actions', 'ERROR', message, path)]
  }
  if (kinds.length === 1) return []
  return [finding('structure', 'ERROR', `An action does one thing; split ${kinds.join(' and ')}.`, path)]
}

/** An alarm has no variables and no timers. */
const checkData = (expressions: readonly LocatedExpression[]): readonly Finding[] =>
  expressions.flatMap(({ references: { variables, timers }, path }) => {
    if (variables.length + timers.length === 0) return []
    return [finding('referenced-data', 'ERROR', 'An alarm has no variables and no timers; read inputs.', path)]
  })
