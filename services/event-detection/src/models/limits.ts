import type { Surroundings, Taken } from './check.ts'
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

/** What is too large for anybody to look at it more closely. */
export function checkSizes(definition: DetectorModelDefinition): readonly Finding[] {
  const found: Finding[] = []
  if (definition.states.length > limits.states) found.push(tooMany('states', limits.states, 'states'))
  if (Buffer.byteLength(JSON.stringify(definition)) > limits.definitionBytes)
    found.push(finding('service-limits', 'ERROR', `The definition is larger than ${limits.definitionBytes} bytes.`))
  return [...found, ...definition.states.flatMap((state, index) => sizesOf(state, `states[${index}]`))]
}

function sizesOf({ onInput, onEnter, onExit }: State, path: string): readonly Finding[] {
  const events = [onInput, onEnter, onExit].flatMap((phase) => phase?.events ?? [])
  const transitions = onInput?.transitionEvents ?? []
  const most = Math.max(0, ...[...events, ...transitions].map(({ actions = [] }) => actions.length))
  const found: Finding[] = []
  if (events.length > limits.eventsPerState) found.push(tooMany('events in a state', limits.eventsPerState, path))
  if (transitions.length > limits.transitionEventsPerState)
    found.push(tooMany('transition events in a state', limits.transitionEventsPerState, path))
  if (most > limits.actionsPerEvent) found.push(tooMany('actions in an event', limits.actionsPerEvent, path))
  return found
}

export const checkLimits = (taken: Taken, { modelsOfInput }: Surroundings): readonly Finding[] => [
  ...payloads(taken),
  ...timers(taken),
  ...routes(taken, modelsOfInput),
]

const payloads = ({ expressions }: Taken): readonly Finding[] =>
  expressions
    .filter(
      ({ path, text }) =>
        path.endsWith('.contentExpression') && Buffer.byteLength(text) > limits.contentExpressionBytes,
    )
    .map(({ path }) => {
      const message = `The content expression is longer than ${limits.contentExpressionBytes} bytes.`
      return finding('service-limits', 'ERROR', message, path)
    })

const timers = ({ actions }: Taken): readonly Finding[] =>
  actions
    .filter(({ action }) => (action.setTimer?.seconds ?? limits.accurateTimerSeconds) < limits.accurateTimerSeconds)
    .map(({ action, path }) => {
      const message = `The timer '${action.setTimer?.timerName}' should take at least ${limits.accurateTimerSeconds} seconds to be accurate.`
      return finding('service-limits', 'WARNING', message, `${path}.setTimer.seconds`)
    })

const routes = (taken: Taken, modelsOfInput: Surroundings['modelsOfInput']): readonly Finding[] =>
  [...new Set(inputsOf(taken).map(({ name }) => name))]
    .filter((name) => (modelsOfInput?.get(name) ?? 0) >= limits.modelsPerInput)
    .map((name) => {
      const message = `The input '${name}' is already routed to ${modelsOfInput?.get(name)} detector models; ${limits.modelsPerInput} is the most.`
      return finding('service-limits', 'WARNING', message)
    })
