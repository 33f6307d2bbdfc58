import { showJson, type Value } from '../expressions/value.ts'
import type { DeliveryRun } from './deliveries.ts'
import type { DetectorState, Transition, Trigger } from './types.ts'

/** Model name and version, for payloads and ids. */
export interface Subject {
  readonly name: string
  readonly version: string
}

/** Mutable state of an evaluation. */
export interface Run extends DeliveryRun {
  readonly subject: Subject
  readonly trigger: Trigger
  stateName: string
  variables: Readonly<Record<string, Value>>
  timers: Readonly<Record<string, number>>
  durations: Readonly<Record<string, number>>
  elapsed: readonly string[]
  readonly transitions: Transition[]
  /** Timers that a condition has tested; discarded after this evaluation. */
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
  const identity = trigger.kind === 'message' ? [trigger.inputName, trigger.messageId] : [trigger.timerName]
  return JSON.stringify([name, version, trigger.keyValue, trigger.kind, trigger.at, ...identity])
}

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

/** Copies a record without one entry; returns the same object if it has none. */
export function without<T>(record: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  if (!Object.hasOwn(record, name)) return record
  const { [name]: _, ...rest } = record
  return rest
}

const text = JSON.stringify

/** Default payload of a detector's action, as JSON. Built manually, so that 20.0 stays 20.0. */
function detectorPayload(run: Run, actionExecutionId: string, eventName: string): string {
  const { subject, trigger, stateName } = run
  const key = trigger.keyValue === undefined ? '' : `"keyValue":${text(trigger.keyValue)},`
  const detector = `{"detectorModelName":${text(subject.name)},${key}"detectorModelVersion":${text(subject.version)}}`
  const details =
    trigger.kind === 'message'
      ? `{"inputName":${text(trigger.inputName)},"messageId":${text(trigger.messageId)},"triggerType":"Message"}`
      : `{"timerName":${text(trigger.timerName)},"triggerType":"Timer"}`
  const state = `{"stateName":${text(stateName)},"variables":${record(run.variables)},"timers":${record(run.timers)}}`
  const payload = `{"actionExecutionId":${text(actionExecutionId)},"detector":${detector},"eventTriggerDetails":${details},"state":${state}}`
  return `{"eventTime":${trigger.at},"payload":${payload},"eventName":${text(eventName)}}`
}

const record = (values: Readonly<Record<string, Value>>) =>
  `{${Object.entries(values)
    .map(([name, value]) => `${text(name)}:${showJson(value)}`)
    .join(',')}}`
