import type { Value } from '../expressions/value.ts'
import type { Delivering } from './deliveries.ts'
import { detectorPayload } from './payload.ts'
import type { DetectorState, Transition, Trigger } from './types.ts'

/** Whose evaluation it is: names for payloads and ids. */
export interface Subject {
  readonly name: string
  readonly version: string
}

/** An evaluation on its way: the detector as it changes, and what comes of it. */
export interface Run extends Delivering {
  readonly subject: Subject
  readonly trigger: Trigger
  stateName: string
  variables: Readonly<Record<string, Value>>
  timers: Readonly<Record<string, number>>
  durations: Readonly<Record<string, number>>
  elapsed: readonly string[]
  readonly transitions: Transition[]
  /** The timers that were reported to some condition: from the next evaluation on they are forgotten. */
  readonly reported: Set<string>
}

export function begin(subject: Subject, from: DetectorState, trigger: Trigger): Run {
  const reported = new Set<string>()
  const run: Run = {
    ...from,
    subject,
    trigger,
    at: trigger.at,
    currentInput: trigger.kind === 'message' ? trigger.inputName : undefined,
    effects: [],
    transitions: [],
    errors: [],
    reported,
    timeout(timerName) {
      if (!run.elapsed.includes(timerName)) return false
      reported.add(timerName)
      return true
    },
    cause: () => causeOf(subject, trigger),
    standardPayload: (actionExecutionId, eventName) => detectorPayload(run, actionExecutionId, eventName),
  }
  return run
}

function causeOf({ name, version }: Subject, trigger: Trigger): string {
  const what = trigger.kind === 'message' ? [trigger.inputName, trigger.messageId] : [trigger.timerName]
  return JSON.stringify([name, version, trigger.keyValue, trigger.kind, trigger.at, ...what])
}

/** The detector after the evaluation. */
export function stateOf({ stateName, variables, timers, durations, elapsed, inputs, reported }: Run): DetectorState {
  return {
    stateName,
    variables,
    timers,
    durations,
    elapsed: reported.size === 0 ? elapsed : elapsed.filter((timerName) => !reported.has(timerName)),
    inputs,
  }
}

/** A copy without one entry; the same object if there is none. */
export function without<T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, name)) return record
  const { [name]: _, ...rest } = record
  return rest
}
