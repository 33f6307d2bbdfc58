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
  /** The attribute that tells detectors apart. */
  readonly key?: string
}

/** A message at a time, in epoch milliseconds; without an input only time passes, and timers fire. */
export interface SimulatedMessage {
  readonly at: number
  readonly messageId: string
  readonly inputName?: string
  readonly payload?: unknown
}

/** A detector after something has happened to it. */
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

/** Runs a model on messages as if the clock stood where they say; between them the timers fire that are due. */
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
      invalid([{ at: `message ${messageId}`, message: `has no '${key}', so it is for no detector` }])
    const trigger = { kind: 'message', at, inputName, messageId, payload, ...keyed(keyValue) } as const
    record(at, keyValue, inputName, evaluate(to, detectors.get(keyValue), trigger))
  }
}

const keyed = (keyValue: string | undefined) => (keyValue === undefined ? {} : { keyValue })

/** The timer that fires next, of any detector, up to a time. */
function firstDue(detectors: ReadonlyMap<string | undefined, DetectorState>, until: number) {
  let first: { keyValue: string | undefined; state: DetectorState; timerName: string; at: number } | undefined
  for (const [keyValue, state] of detectors)
    for (const [timerName, at] of Object.entries(state.timers))
      if (at <= until && (!first || at < first.at)) first = { keyValue, state, timerName, at }
  return first
}
