import { updateInputs } from '../engine/inputs.ts'
import type { EvaluationError } from '../engine/types.ts'
import type { Scope } from '../expressions/compile.ts'
import { equality, ordering } from '../expressions/operators.ts'
import { isProblem, type Result, show, type Value } from '../expressions/value.ts'
import type { ComparisonOperator } from '../models/alarm-models/contract.ts'
import type { AlarmModel } from './compile.ts'
import { effectsOf } from './effects.ts'
import { afterAction, afterData, isWatching } from './transitions.ts'
import type { AlarmOutcome, AlarmState, AlarmStateView, AlarmTrigger, SimpleRuleEvaluation } from './types.ts'

type Of<K extends AlarmTrigger['kind']> = Extract<AlarmTrigger, { kind: K }>

/**
 * Applies a message, a user action or the end of a snooze to an alarm. A pure function. Without a state the message creates
 * a new alarm.
 */
export function respond(model: AlarmModel, state: AlarmState | undefined, trigger: Of<'message'>): AlarmOutcome
export function respond(model: AlarmModel, state: AlarmState, trigger: AlarmTrigger): AlarmOutcome
export function respond(model: AlarmModel, state: AlarmState | undefined, trigger: AlarmTrigger): AlarmOutcome {
  const from = state ?? { shown: { stateName: model.initialStateName }, inputs: {} }
  const errors: EvaluationError[] = []
  const next = nextState(model, from, trigger, errors)
  const hasChanged = next.shown.stateName !== from.shown.stateName
  const cause = trigger.kind === 'message' ? { messageId: trigger.messageId } : {}
  const to = next.shown.stateName
  return {
    state: next,
    transitions: [
      ...(state ? [] : [{ to: from.shown.stateName, at: trigger.at, ...cause }]),
      ...(hasChanged
        ? [{ from: from.shown.stateName, to, eventName: eventName(trigger), at: trigger.at, ...cause }]
        : []),
    ],
    effects: hasChanged ? effectsOf(model, next, trigger, errors) : [],
    errors,
  }
}

const eventName = (trigger: AlarmTrigger) => {
  if (trigger.kind === 'action') return trigger.action.actionName
  return trigger.kind === 'message' ? 'RULE_EVALUATION' : 'SNOOZE_TIMEOUT'
}

function nextState(model: AlarmModel, from: AlarmState, trigger: AlarmTrigger, errors: EvaluationError[]): AlarmState {
  switch (trigger.kind) {
    case 'message':
      return afterMessage(model, from, trigger, errors)
    case 'action':
      return afterUserAction(from, trigger)
    case 'snoozeTimeout':
      return afterSnooze(from, trigger)
  }
}

function afterMessage(
  model: AlarmModel,
  { shown, ...rest }: AlarmState,
  { inputName, payload }: Of<'message'>,
  errors: EvaluationError[],
): AlarmState {
  const inputs = updateInputs(rest.inputs, model.reads, inputName, payload)
  if (!isWatching(shown.stateName)) return { shown, ...rest, inputs }
  const result = evaluateRule(model, { inputs, variables: {}, currentInput: inputName, timeout: () => false }, errors)
  if (!result) return { shown, ...rest, inputs }
  const stateName = afterData(shown.stateName, result.isTrue, model.acknowledged)
  const ruleEvaluation = { simpleRuleEvaluation: result.evaluation }
  return { inputs, shown: { ...(stateName === shown.stateName && shown), stateName, ruleEvaluation } }
}

/** Keeps the last rule evaluation, but not the cause of an earlier state. */
const withEvaluation = ({ ruleEvaluation }: AlarmStateView, next: AlarmStateView): AlarmStateView => ({
  ...(ruleEvaluation && { ruleEvaluation }),
  ...next,
})

function afterUserAction({ shown, inputs }: AlarmState, { action, at }: Of<'action'>): AlarmState {
  const next = withEvaluation(shown, { stateName: afterAction[action.actionName], customerAction: action })
  if (action.actionName !== 'SNOOZE') return { shown: next, inputs }
  return { shown: next, inputs, snoozedUntil: at + action.snoozeActionConfiguration.snoozeDuration * 1000 }
}

/** Ignores the timeout of a snooze that was ended or renewed. */
function afterSnooze(from: AlarmState, { at }: Of<'snoozeTimeout'>): AlarmState {
  const { shown, inputs, snoozedUntil } = from
  if (shown.stateName !== 'SNOOZE_DISABLED' || snoozedUntil === undefined || snoozedUntil > at) return from
  const systemEvent = {
    eventType: 'STATE_CHANGE',
    stateChangeConfiguration: { triggerType: 'SNOOZE_TIMEOUT' },
  } as const
  return { shown: withEvaluation(shown, { stateName: 'NORMAL', systemEvent }), inputs }
}

/** Undefined if the rule cannot be evaluated; then the alarm does not change. */
function evaluateRule({ rule }: AlarmModel, scope: Scope, errors: EvaluationError[]) {
  const { property, operator, threshold } = rule
  const value = property.evaluate(scope)
  const limit = threshold.evaluate(scope)
  if (isProblem(value)) return failed(errors, property, value.problem)
  if (isProblem(limit)) return failed(errors, threshold, limit.problem)
  const isTrue = compare(operator, value, limit)
  if (typeof isTrue !== 'boolean') return failed(errors, property, isProblem(isTrue) ? isTrue.problem : 'has no value')
  const evaluation: SimpleRuleEvaluation = { inputPropertyValue: show(value), operator, thresholdValue: show(limit) }
  return { isTrue, evaluation }
}

function failed(errors: EvaluationError[], { path, text }: { path: string; text: string }, message: string): undefined {
  errors.push({ path, expression: text, message })
}

const symbols = {
  GREATER: '>',
  GREATER_OR_EQUAL: '>=',
  LESS: '<',
  LESS_OR_EQUAL: '<=',
  EQUAL: '==',
  NOT_EQUAL: '!=',
} as const

function compare(operator: ComparisonOperator, left: Value, right: Value): Result {
  const symbol = symbols[operator]
  return symbol === '==' || symbol === '!=' ? equality(symbol, left, right) : ordering(symbol, left, right)
}
