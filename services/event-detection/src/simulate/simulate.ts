import { invalid } from '@icosa/kernel'
import { compile, type Model } from '../engine/compile.ts'
import { evaluate } from '../engine/evaluate.ts'
import type { DetectorState, Effect, EvaluationError, Outcome, Transition } from '../engine/types.ts'
import { keyValueOf } from '../expressions/payload.ts'
import type { DetectorModelDefinition, EvaluationMethod } from '../models/contract.ts'

export interface SimulatedModel {
  readonly detectorModelName?: string
  readonly detectorModelVersion?: string
  readonly detectorModelDefinition: DetectorModelDefinition
  readonly evaluationMethod?: EvaluationMethod
  /** Attribute that identifies the detector. */
  readonly key?: string
}

/** `at` is in epoch milliseconds. Without an input, a message only advances the time. */
export interface SimulatedMessage {
  readonly at: number
  readonly messageId: string
  readonly inputName?: string
  readonly payload?: unknown
}

/** A detector after a message or timer. */
export interface Row {
  readonly at: number
  readonly keyValue?: string
  /** The input's name, or `timer <name>`. */
  readonly trigger: string
  readonly state: DetectorState
  readonly transitions: readonly Transition[]
  readonly effects: readonly Effect[]
  readonly errors: readonly EvaluationError[]
}

/** Runs a model on messages with simulated time, and fires timers when due. */
export function simulate(source: SimulatedModel, messages: readonly SimulatedMessage[]): readonly Row[] {
  const model = compile({ detectorModelName: 'simulated', detectorModelVersion: '1', ...source })
  const detectors = new Map<string | undefined, DetectorState>()
  const rows: Row[] = []

  function record(at: number, keyValue: string | undefined, trigger: string, outcome: Outcome): void {
    detectors.set(keyValue, outcome.state)
    rows.push({ at, ...(keyValue !== undefined && { keyValue }), trigger, ...outcome })
  }

  for (const message of messages) {
    for (let due = firstDue(detectors, message.at); due; due = firstDue(detectors, message.at)) {
      const { state, timerName, at, keyValue } = due
      record(
        at,
        keyValue,
        `timer ${timerName}`,
        evaluate(model, state, { kind: 'timer', timerName, at, ...keyed(keyValue) }),
      )
    }
    if (message.inputName !== undefined) receive(model, source.key, { ...message, inputName: message.inputName })
  }
  return rows

  function receive(to: Model, key: string | undefined, message: SimulatedMessage & { inputName: string }): void {
    const keyValue = key === undefined ? undefined : keyValueOf(key, message.payload)
    const { at, inputName, messageId, payload } = message
    if (key !== undefined && keyValue === undefined)
      invalid([{ at: `message ${messageId}`, message: `has no '${key}', so it matches no detector` }])
    const trigger = { kind: 'message', at, inputName, messageId, payload, ...keyed(keyValue) } as const
    record(at, keyValue, inputName, evaluate(to, detectors.get(keyValue), trigger))
  }
}

const keyed = (keyValue: string | undefined) => (keyValue === undefined ? {} : { keyValue })

/** The first timer of any detector that is due by a time. */
function firstDue(detectors: ReadonlyMap<string | undefined, DetectorState>, until: number) {
  let first: { keyValue: string | undefined; state: DetectorState; timerName: string; at: number } | undefined
  for (const [keyValue, state] of detectors)
    for (const [timerName, at] of Object.entries(state.timers))
      if (at <= until && (!first || at < first.at)) first = { keyValue, state, timerName, at }
  return first
}
