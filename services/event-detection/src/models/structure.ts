import { compile } from '../expressions/compile.ts'
import { actionKinds } from './actions/contract.ts'
import { deliveryOf, kindsOf } from './actions/fields.ts'
import type { ModelParts } from './check.ts'
import { type Finding, finding } from './findings.ts'
import type { LocatedAction, LocatedEvent } from './located.ts'
import { inputsOf } from './referenced-resources.ts'

const error = (message: string, ...paths: string[]) => finding('structure', 'ERROR', message, ...paths)
const warning = (message: string, ...paths: string[]) => finding('structure', 'WARNING', message, ...paths)
const info = (message: string, ...paths: string[]) => finding('structure', 'INFO', message, ...paths)

export function checkStructure(parts: ModelParts): readonly Finding[] {
  return [
    ...names(parts),
    ...inputs(parts),
    ...parts.actions.flatMap(checkAction),
    ...reachability(parts),
    ...timers(parts),
  ]
}

function names({ definition, events }: ModelParts): readonly Finding[] {
  const { states, initialStateName } = definition
  const stateNames = states.map(({ stateName }) => stateName)
  const findings: Finding[] = []
  if (states.length === 0) findings.push(error('A detector model has at least one state.', 'states'))
  else if (!stateNames.includes(initialStateName))
    findings.push(error(`The initial state '${initialStateName}' is not a state of the model.`, 'initialStateName'))
  for (const name of new Set(stateNames)) {
    const paths = stateNames.flatMap((stateName, index) => (stateName === name ? [`states[${index}].stateName`] : []))
    if (paths.length > 1) findings.push(error(`${paths.length} states are called '${name}'.`, ...paths))
  }
  for (const { event, path } of events)
    if (event.nextState !== undefined && !stateNames.includes(event.nextState))
      findings.push(
        error(`'${event.eventName}' leads to '${event.nextState}', which is not a state.`, `${path}.nextState`),
      )
  return findings
}

function inputs({ events }: ModelParts): readonly Finding[] {
  const conditions = events.flatMap(({ condition }) => condition ?? [])
  return inputsOf({ expressions: conditions }).length > 0
    ? []
    : [error('At least one condition must use an input; otherwise the model receives no messages.', 'states')]
}

function checkAction({ action, path }: LocatedAction): readonly Finding[] {
  const kinds = kindsOf(action)
  const unknown = Object.keys(action).filter((name) => !(actionKinds as readonly string[]).includes(name))
  if (unknown.length > 0 || kinds.length === 0) {
    const message = `'${unknown.join(', ')}' is not an action; there are ${actionKinds.join(', ')}.`
    return [finding('supported-actions', 'ERROR', message, path)]
  }
  if (kinds.length > 1) return [error(`An action does one thing; split ${kinds.join(' and ')}.`, path)]
  const { setTimer, iotSiteWise, dynamoDBv2 } = action
  if (setTimer && (setTimer.seconds === undefined) === (setTimer.durationExpression === undefined))
    return [error('A timer takes either seconds or a durationExpression.', `${path}.setTimer`)]
  if (iotSiteWise && !iotSiteWise.propertyAlias && !(iotSiteWise.assetId && iotSiteWise.propertyId))
    return [error('Give either propertyAlias, or both assetId and propertyId.', `${path}.iotSiteWise`)]
  if (dynamoDBv2?.payload?.type === 'STRING')
    return [
      error("The payload's type must be JSON: each of its attributes becomes a column.", `${path}.dynamoDBv2.payload`),
    ]
  return []
}

const emptyScope = { variables: {}, inputs: {}, currentInput: undefined, timeout: () => false }

/** Whether a condition is constantly false. */
function isNever({ condition }: LocatedEvent): boolean {
  const node = condition?.parsed.node
  return node !== undefined && condition?.references.isConstant === true && compile(node)(emptyScope) === false
}

function reachability({ definition, events }: ModelParts): readonly Finding[] {
  const reached = new Set([definition.initialStateName])
  // The set grows during the loop, so this follows every transition.
  for (const stateName of reached)
    for (const located of events)
      if (located.state.stateName === stateName && located.event.nextState !== undefined && !isNever(located))
        reached.add(located.event.nextState)
  const states = definition.states.flatMap(({ stateName }, index) =>
    reached.has(stateName) ? [] : [warning(`No transition leads to the state '${stateName}'.`, `states[${index}]`)],
  )
  const actions = events
    .filter((located) => (located.event.actions?.length ?? 0) > 0 && isNever(located))
    .map(({ event, path }) =>
      warning(`The actions of '${event.eventName}' never run: its condition is always false.`, path),
    )
  return [...states, ...actions]
}

/** Common pitfalls with timers. */
function timers({ events, actions }: ModelParts): readonly Finding[] {
  const sets = actions.some(({ action }) => action.setTimer)
  const reading = events.filter(({ phase, condition }) => {
    const { inputs: references = [], testsTrigger } = condition?.references ?? {}
    return sets && phase === 'onInput' && references.length > 0 && !testsTrigger
  })
  const looping = events.filter(({ condition, event }) => {
    const tested = condition?.references.timers ?? []
    const restarted = event.actions?.some(({ setTimer, resetTimer }) =>
      tested.includes((setTimer ?? resetTimer)?.timerName ?? ''),
    )
    return tested.length > 0 && restarted && event.actions?.some((action) => deliveryOf(action))
  })
  return [
    ...reading.map(({ path }) =>
      info('A timer that fires evaluates this condition too; && triggerType("Message") limits it to messages.', path),
    ),
    ...looping.map(({ path }) => warning('This timer restarts itself and sends something each time.', path)),
  ]
}
