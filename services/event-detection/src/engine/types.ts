import type { Value } from '../expressions/value.ts'
import type { DeliveryKind } from '../models/actions/contract.ts'

/** Where a detector stands: plain JSON, all that `evaluate` needs beside the model and what has just happened. */
export interface DetectorState {
  readonly stateName: string
  readonly variables: Readonly<Record<string, Value>>
  /** When each running timer fires, in epoch milliseconds. */
  readonly timers: Readonly<Record<string, number>>
  /** The seconds that each timer was last set to: resetTimer sets it to them again. */
  readonly durations: Readonly<Record<string, number>>
  /** Timers that have fired and that no condition has asked for yet: `timeout()` is true once. */
  readonly elapsed: readonly string[]
  /** What the latest message of every input said, at the paths that the model reads. */
  readonly inputs: InputValues
}

/** By input, then by path as the expressions spell it: `{ PressureInput: { 'sensorData.pressure': 70 } }`. */
export type InputValues = Readonly<Record<string, Readonly<Record<string, Value>>>>

export type Trigger = MessageTrigger | TimerTrigger

interface AnyTrigger {
  /** When it happened, in epoch milliseconds. */
  readonly at: number
  /** The detector's key, for payloads and for the ids of effects; a model without a key has one detector without one. */
  readonly keyValue?: string
}
export interface MessageTrigger extends AnyTrigger {
  readonly kind: 'message'
  readonly inputName: string
  readonly messageId: string
  /** The message as `readPayload` reads it (or JSON.parse, which takes 20.0 for an integer). */
  readonly payload: unknown
}
export interface TimerTrigger extends AnyTrigger {
  readonly kind: 'timer'
  readonly timerName: string
}

export interface Outcome {
  readonly state: DetectorState
  readonly effects: readonly Effect[]
  readonly transitions: readonly Transition[]
  readonly errors: readonly EvaluationError[]
}

/** A delivery to make: what an action asked for, its target and payload worked out. */
export interface Effect {
  /** The same for the same action of the same message, however often it is evaluated: a key against doing it twice. */
  readonly id: string
  readonly action: DeliveryKind | 'notification'
  readonly eventName: string
  /** The action's parameters without its payload, such as `{ targetArn }`. */
  readonly target: Readonly<Record<string, unknown>>
  /** What to send, as it goes out: separators appended, in base 64 where that was asked for. */
  readonly payload: string
}

export interface Transition {
  /** Missing if the detector has just been made. */
  readonly from?: string
  readonly to: string
  /** Missing if the detector has just been made. */
  readonly eventName?: string
  readonly at: number
  readonly messageId?: string
  readonly timerName?: string
}

/** An expression that had no value: a condition counts as false, an action is left out. */
export interface EvaluationError {
  /** Where in the definition, such as `states[0].onInput.events[1].condition`. */
  readonly path: string
  readonly expression: string
  readonly message: string
}
