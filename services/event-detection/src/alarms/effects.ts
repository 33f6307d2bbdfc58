import { type DeliveryRun, effectId } from '../engine/deliveries.ts'
import type { Effect, EvaluationError } from '../engine/types.ts'
import type { AlarmModel } from './compile.ts'
import type { AlarmState, AlarmTrigger } from './types.ts'

/** Deliveries of a state change: the model's actions, then its notifications. */
export function effectsOf(
  model: AlarmModel,
  state: AlarmState,
  trigger: AlarmTrigger,
  errors: EvaluationError[],
): readonly Effect[] {
  const { stateName } = state.shown
  const payload = payloadOf(model, state, trigger)
  const run: DeliveryRun = {
    variables: {},
    inputs: state.inputs,
    currentInput: trigger.kind === 'message' ? trigger.inputName : undefined,
    timeout: () => false,
    at: trigger.at,
    effects: [],
    errors,
    cause: () => causeOf(model, trigger),
    standardPayload: () => payload,
  }
  for (const deliver of model.deliveries) deliver(run, stateName)
  for (const { action, emailConfigurations = [], smsConfigurations = [] } of model.notifications) {
    run.effects.push({
      id: effectId(run),
      action: 'notification',
      eventName: stateName,
      target: action.lambdaAction ? { functionArn: action.lambdaAction.functionArn } : {},
      payload: JSON.stringify({ notificationEventPayload: payload, emailConfigurations, smsConfigurations }),
    })
  }
  return run.effects
}

function causeOf({ name, version }: AlarmModel, trigger: AlarmTrigger): string {
  const { kind, at, keyValue } = trigger
  const identity =
    kind === 'message' ? [trigger.inputName, trigger.messageId] : kind === 'action' ? [trigger.requestId] : []
  return JSON.stringify(['alarm', name, version, keyValue, kind, at, ...identity])
}

function payloadOf({ name, version, severity }: AlarmModel, { shown }: AlarmState, trigger: AlarmTrigger): string {
  const rule = shown.ruleEvaluation?.simpleRuleEvaluation
  return JSON.stringify({
    alarmModelName: name,
    alarmModelVersion: version,
    ...(trigger.keyValue !== undefined && { keyValue: trigger.keyValue }),
    ...(severity !== undefined && { severity }),
    stateUpdateTime: trigger.at,
    alarmState: {
      stateName: shown.stateName,
      ...(rule && {
        ruleEvaluation: {
          simpleRule: {
            inputProperty: rule.inputPropertyValue,
            operator: rule.operator,
            threshold: rule.thresholdValue,
          },
        },
      }),
      ...(shown.customerAction && { customerAction: shown.customerAction }),
      ...(shown.systemEvent && { systemEvent: shown.systemEvent }),
    },
  })
}
