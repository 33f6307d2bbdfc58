import { showJson, type Value } from '../expressions/value.ts'
import type { Run } from './run.ts'

const text = JSON.stringify

/** Default payload of a detector's action, as JSON. Built manually, so that 20.0 stays 20.0. */
export function detectorPayload(run: Run, actionExecutionId: string, eventName: string): string {
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
