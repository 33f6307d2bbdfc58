import { compile } from '../expressions/compile.ts'
import { actionKinds } from './actions/contract.ts'
import { deliveryOf, kindsOf } from './actions/fields.ts'
import type { Taken } from './check.ts'
import { type Finding, finding } from './findings.ts'
import type { LocatedAction, LocatedEvent } from './located.ts'
import { inputsOf } from './referenced-resources.ts'

const wrong = (message: string, ...paths: string[]) => finding('structure', 'ERROR', message, ...paths)
const doubtful = (message: string, ...paths: string[]) => finding('structure', 'WARNING', message, ...paths)
const remark = (message: string, ...paths: string[]) => finding('structure', 'INFO', message, ...paths)

export function checkStructure(taken: Taken): readonly Finding[] {
  return [
    ...names(taken),
    ...inputs(taken),
    ...taken.actions.flatMap(checkAction),
    ...reachability(taken),
    ...timers(taken),
  ]
}

function names({ definition, events }: Taken): readonly Finding[] {
  const { states, initialStateName } = definition
  const known = states.map(({ stateName }) => stateName)
  const found: Finding[] = []
  if (states.length === 0) found.push(wrong('A detector model has at least one state.', 'states'))
  else if (!known.includes(initialStateName))
    found.push(wrong(`The initial state '${initialStateName}' is not a state of the model.`, 'initialStateName'))
  for (const name of new Set(known)) {
    const paths = known.flatMap((one, index) => (one === name ? [`states[${index}].stateName`] : []))
    if (paths.length > 1) found.push(wrong(`${paths.length} states are called '${name}'.`, ...paths))
  }
  for (const { event, path } of events)
    if (event.nextState !== undefined && !known.includes(event.nextState))
      found.push(
        wrong(`'${event.eventName}' leads to '${event.nextState}', which is not a state.`, `${path}.nextState`),
      )
  return found
}

function inputs({ events }: Taken): readonly Finding[] {
  const conditions = events.flatMap(({ condition }) => condition ?? [])
  return inputsOf({ expressions: conditions }).length > 0
    ? []
    : [wrong('At least one condition has to use an input; without one no message is for this model.', 'states')]
}

function checkAction({ action, path }: LocatedAction): readonly Finding[] {
  const kinds = kindsOf(action)
  const unknown = Object.keys(action).filter((name) => !(actionKinds as readonly string[]).includes(name))
  if (unknown.length > 0 || kinds.length === 0) {
    const message = `'${unknown.join(', ')}' is not an action; there are ${actionKinds.join(', ')}.`
    return [finding('supported-actions', 'ERROR', message, path)]
  }
  if (kinds.length > 1) return [wrong(`An action does one thing; split ${kinds.join(' and ')}.`, path)]
  const { setTimer, iotSiteWise, dynamoDBv2 } = action
  if (setTimer && (setTimer.seconds === undefined) === (setTimer.durationExpression === undefined))
    return [wrong('A timer takes either seconds or a durationExpression.', `${path}.setTimer`)]
  if (iotSiteWise && !iotSiteWise.propertyAlias && !(iotSiteWise.assetId && iotSiteWise.propertyId))
    return [wrong('Give either propertyAlias, or both assetId and propertyId.', `${path}.iotSiteWise`)]
  if (dynamoDBv2?.payload?.type === 'STRING')
    return [
      wrong(
        "The payload's type has to be JSON: each of its attributes becomes a column.",
        `${path}.dynamoDBv2.payload`,
      ),
    ]
  return []
}

const nobody = { variables: {}, inputs: {}, currentInput: undefined, timeout: () => false }

/** Whether a condition is false whatever happens. */
function isNever({ condition }: LocatedEvent): boolean {
  const node = condition?.parsed.node
  return node !== undefined && condition?.references.isConstant === true && compile(node)(nobody) === false
}

function reachability({ definition, events }: Taken): readonly Finding[] {
  const reached = new Set([definition.initialStateName])
  // A set grows while it is walked, so this follows every transition that there is.
  for (const stateName of reached)
    for (const located of events)
      if (located.state.stateName === stateName && located.event.nextState !== undefined && !isNever(located))
        reached.add(located.event.nextState)
  const states = definition.states.flatMap(({ stateName }, index) =>
    reached.has(stateName) ? [] : [doubtful(`No transition leads to the state '${stateName}'.`, `states[${index}]`)],
  )
  const actions = events
    .filter((located) => (located.event.actions?.length ?? 0) > 0 && isNever(located))
    .map(({ event, path }) => doubtful(`The actions of '${event.eventName}' never happen: it is always false.`, path))
  return [...states, ...actions]
}

/** What timers do that people do not expect. */
function timers({ events, actions }: Taken): readonly Finding[] {
  const sets = actions.some(({ action }) => action.setTimer)
  const reading = events.filter(({ phase, condition }) => {
    const { inputs: read = [], asksTrigger } = condition?.references ?? {}
    return sets && phase === 'onInput' && read.length > 0 && !asksTrigger
  })
  const looping = events.filter(({ condition, event }) => {
    const asked = condition?.references.timers ?? []
    const restarted = event.actions?.some(({ setTimer, resetTimer }) =>
      asked.includes((setTimer ?? resetTimer)?.timerName ?? ''),
    )
    return asked.length > 0 && restarted && event.actions?.some((action) => deliveryOf(action))
  })
  return [
    ...reading.map(({ path }) =>
      remark('A timer that fires evaluates this condition too; && triggerType("Message") limits it to messages.', path),
    ),
    ...looping.map(({ path }) => doubtful('This timer starts itself again and sends something every time.', path)),
  ]
}
