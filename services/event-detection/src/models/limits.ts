import type { ModelContext, ModelParts } from './check.ts'
import type { DetectorModelDefinition, State } from './contract.ts'
import { type Finding, finding } from './findings.ts'
import { inputsOf } from './referenced-resources.ts'

export const limits = {
  states: 20,
  eventsPerState: 20,
  transitionEventsPerState: 20,
  actionsPerEvent: 10,
  contentExpressionBytes: 1024,
  definitionBytes: 512 * 1024,
  accurateTimerSeconds: 60,
  modelsPerInput: 10,
}

const tooMany = (what: string, limit: number, path: string) =>
  finding('service-limits', 'ERROR', `There are more than ${limit} ${what}.`, path)

/** Size checks, before the more expensive ones. */
export function checkSizes(definition: DetectorModelDefinition): readonly Finding[] {
  const findings: Finding[] = []
  if (definition.states.length > limits.states) findings.push(tooMany('states', limits.states, 'states'))
  if (Buffer.byteLength(JSON.stringify(definition)) > limits.definitionBytes)
    findings.push(finding('service-limits', 'ERROR', `The definition is larger than ${limits.definitionBytes} bytes.`))
  return [...findings, ...definition.states.flatMap((state, index) => sizesOf(state, `states[${index}]`))]
}

function sizesOf({ onInput, onEnter, onExit }: State, path: string): readonly Finding[] {
  const events = [onInput, onEnter, onExit].flatMap((phase) => phase?.events ?? [])
  const transitions = onInput?.transitionEvents ?? []
  const maxActions = Math.max(0, ...[...events, ...transitions].map(({ actions = [] }) => actions.length))
  const findings: Finding[] = []
  if (events.length > limits.eventsPerState) findings.push(tooMany('events in a state', limits.eventsPerState, path))
  if (transitions.length > limits.transitionEventsPerState)
    findings.push(tooMany('transition events in a state', limits.transitionEventsPerState, path))
  if (maxActions > limits.actionsPerEvent) findings.push(tooMany('actions in an event', limits.actionsPerEvent, path))
  return findings
}

export const checkLimits = (parts: ModelParts, { modelsOfInput }: ModelContext): readonly Finding[] => [
  ...payloads(parts),
  ...timers(parts),
  ...routes(parts, modelsOfInput),
]

const payloads = ({ expressions }: ModelParts): readonly Finding[] =>
  expressions
    .filter(
      ({ path, text }) =>
        path.endsWith('.contentExpression') && Buffer.byteLength(text) > limits.contentExpressionBytes,
    )
    .map(({ path }) => {
      const message = `The content expression is longer than ${limits.contentExpressionBytes} bytes.`
      return finding('service-limits', 'ERROR', message, path)
    })

const timers = ({ actions }: ModelParts): readonly Finding[] =>
  actions
    .filter(({ action }) => (action.setTimer?.seconds ?? limits.accurateTimerSeconds) < limits.accurateTimerSeconds)
    .map(({ action, path }) => {
      const message = `The timer '${action.setTimer?.timerName}' should take at least ${limits.accurateTimerSeconds} seconds to be accurate.`
      return finding('service-limits', 'WARNING', message, `${path}.setTimer.seconds`)
    })

const routes = (parts: ModelParts, modelsOfInput: ModelContext['modelsOfInput']): readonly Finding[] =>
  [...new Set(inputsOf(parts).map(({ name }) => name))]
    .filter((name) => (modelsOfInput?.get(name) ?? 0) >= limits.modelsPerInput)
    .map((name) => {
      const message = `The input '${name}' is already routed to ${modelsOfInput?.get(name)} detector models; at most ${limits.modelsPerInput} are recommended.`
      return finding('service-limits', 'WARNING', message)
    })
