import type { AlarmModel } from '../alarms/compile.ts'
import { respond } from '../alarms/respond.ts'
import type { AlarmState, CustomerAction } from '../alarms/types.ts'
import type { Model } from '../engine/compile.ts'
import { evaluate } from '../engine/evaluate.ts'
import { problemWith, type StateInput } from '../engine/state.ts'
import type { DetectorState, Effect, EvaluationError, Transition } from '../engine/types.ts'

/** Result of a message, a timer or an action, for detectors and alarms. */
export interface Step {
  readonly state: unknown
  readonly effects: readonly Effect[]
  readonly transitions: readonly Transition[]
  readonly errors: readonly EvaluationError[]
}

interface Trigger {
  readonly at: number
  readonly keyValue?: string
}
export interface Received extends Trigger {
  readonly inputName: string
  readonly messageId: string
  readonly payload: unknown
}
export interface UserAction extends Trigger {
  readonly action: CustomerAction
  readonly requestId: string
}

/** Common interface of both kinds of models. States are opaque to callers. */
export interface Rules {
  receive(state: unknown, message: Received): Step
  /** Expiry of the next timer. */
  dueAt(state: unknown): number | undefined
  /** Fires the next timer. */
  elapse(state: unknown, keyValue: string | undefined): Step
  stateName(state: unknown): string
}
export interface DetectorRules extends Rules {
  /** Returns the problem with a state set by a client. */
  problemWith(input: StateInput): string | undefined
}
export interface AlarmRules extends Rules {
  readonly severity: number | undefined
  act(state: unknown, action: UserAction): Step
}

const keyed = (keyValue: string | undefined) => (keyValue === undefined ? {} : { keyValue })

export function detectorRules(model: Model): DetectorRules {
  return {
    receive: (state, message) => evaluate(model, state as DetectorState | undefined, { kind: 'message', ...message }),
    dueAt: (state) => firstTimer(state as DetectorState)?.[1],
    elapse(state, keyValue) {
      const [timerName, at] = firstTimer(state as DetectorState) ?? ['', 0]
      return evaluate(model, state as DetectorState, { kind: 'timer', timerName, at, ...keyed(keyValue) })
    },
    stateName: (state) => (state as DetectorState).stateName,
    problemWith: (input) => problemWith(model, input),
  }
}

function firstTimer({ timers }: DetectorState): readonly [name: string, dueAt: number] | undefined {
  let first: readonly [string, number] | undefined
  for (const timer of Object.entries(timers)) if (first === undefined || timer[1] < first[1]) first = timer
  return first
}

export function alarmRules(model: AlarmModel): AlarmRules {
  return {
    receive: (state, message) => respond(model, state as AlarmState | undefined, { kind: 'message', ...message }),
    dueAt: (state) => (state as AlarmState).snoozedUntil,
    elapse(state, keyValue) {
      const at = (state as AlarmState).snoozedUntil ?? 0
      return respond(model, state as AlarmState, { kind: 'snoozeTimeout', at, ...keyed(keyValue) })
    },
    stateName: (state) => (state as AlarmState).shown.stateName,
    severity: model.severity,
    act: (state, action) => respond(model, state as AlarmState, { kind: 'action', ...action }),
  }
}
