import type { Value } from '../expressions/value.ts'
import type { DeliveryKind } from '../models/actions/contract.ts'

/** State of a detector, in plain JSON. */
export interface DetectorState {
  readonly stateName: string
  readonly variables: Readonly<Record<string, Value>>
  /** Expiry of each running timer, in epoch milliseconds. */
  readonly timers: Readonly<Record<string, number>>
  /** Last duration of each timer in seconds, for resetTimer. */
  readonly durations: Readonly<Record<string, number>>
  /** Timers that have fired and that no condition has tested yet: `timeout()` is true once. */
  readonly elapsed: readonly string[]
  /** Values of the latest message of every input, at the paths that the model reads. */
  readonly inputs: InputValues
}

/** By input, then by path as spelled in expressions: `{ PressureInput: { 'sensorData.pressure': 70 } }`. */
export type InputValues = Readonly<Record<string, Readonly<Record<string, Value>>>>

export type Trigger = MessageTrigger | TimerTrigger

interface AnyTrigger {
  /** In epoch milliseconds. */
  readonly at: number
  /** Key of the detector, for payloads and ids of effects; missing if the model has no key. */
  readonly keyValue?: string
}
export interface MessageTrigger extends AnyTrigger {
  readonly kind: 'message'
  readonly inputName: string
  readonly messageId: string
  /** Parsed by `readPayload` (or by JSON.parse, which turns 20.0 into an integer). */
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

/** A delivery with evaluated target and payload. */
export interface Effect {
  /** Idempotency key: deterministic for an action and its cause. */
  readonly id: string
  readonly action: DeliveryKind | 'notification'
  readonly eventName: string
  /** The action's parameters without its payload, such as `{ targetArn }`. */
  readonly target: Readonly<Record<string, unknown>>
  /** Final content, with separator and base64 applied. */
  readonly payload: string
}

export interface Transition {
  /** Missing on creation. */
  readonly from?: string
  readonly to: string
  /** Missing on creation. */
  readonly eventName?: string
  readonly at: number
  readonly messageId?: string
  readonly timerName?: string
}

/** An expression without a value: a condition counts as false, an action is skipped. */
export interface EvaluationError {
  /** Location in the definition, such as `states[0].onInput.events[1].condition`. */
  readonly path: string
  readonly expression: string
  readonly message: string
}
