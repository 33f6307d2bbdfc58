import type { Effect, EvaluationError, InputValues, Transition } from '../engine/types.ts'
import type { ComparisonOperator } from '../models/alarm-models/contract.ts'

export const alarmStateNames = ['DISABLED', 'NORMAL', 'ACTIVE', 'ACKNOWLEDGED', 'SNOOZE_DISABLED', 'LATCHED'] as const
export type AlarmStateName = (typeof alarmStateNames)[number]

/** Stored state of an alarm, in plain JSON. `shown` is visible to clients. */
export interface AlarmState {
  readonly shown: AlarmStateView
  /** When the snooze ends, in epoch milliseconds; only in SNOOZE_DISABLED. */
  readonly snoozedUntil?: number
  /** Values of the latest message of every input, at the paths that rule and actions read. */
  readonly inputs: InputValues
}

/** `alarmState` on the wire: the last rule evaluation, and the action or event that led to the state, if any. */
export interface AlarmStateView {
  readonly stateName: AlarmStateName
  readonly ruleEvaluation?: { readonly simpleRuleEvaluation: SimpleRuleEvaluation }
  readonly customerAction?: CustomerAction
  readonly systemEvent?: SystemEvent
}

export interface SimpleRuleEvaluation {
  readonly inputPropertyValue: string
  readonly operator: ComparisonOperator
  readonly thresholdValue: string
}

export interface SystemEvent {
  readonly eventType: 'STATE_CHANGE'
  readonly stateChangeConfiguration: { readonly triggerType: 'SNOOZE_TIMEOUT' }
}

interface Note {
  readonly note?: string
}
export type CustomerAction =
  | { readonly actionName: 'ACKNOWLEDGE'; readonly acknowledgeActionConfiguration: Note }
  | { readonly actionName: 'DISABLE'; readonly disableActionConfiguration: Note }
  | { readonly actionName: 'ENABLE'; readonly enableActionConfiguration: Note }
  | { readonly actionName: 'RESET'; readonly resetActionConfiguration: Note }
  | { readonly actionName: 'SNOOZE'; readonly snoozeActionConfiguration: Note & { readonly snoozeDuration: number } }

/** `keyValue` is the alarm's, for payloads and the ids of effects. */
export type AlarmTrigger = (
  | { readonly kind: 'message'; readonly inputName: string; readonly messageId: string; readonly payload: unknown }
  | { readonly kind: 'action'; readonly action: CustomerAction; readonly requestId: string }
  | { readonly kind: 'snoozeTimeout' }
) & { readonly at: number; readonly keyValue?: string }

export interface AlarmOutcome {
  readonly state: AlarmState
  readonly effects: readonly Effect[]
  readonly transitions: readonly Transition[]
  readonly errors: readonly EvaluationError[]
}
