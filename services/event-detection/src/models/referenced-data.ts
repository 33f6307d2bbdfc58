import type { Taken } from './check.ts'
import { type Finding, finding } from './findings.ts'
import type { LocatedEvent, LocatedExpression } from './located.ts'

export function checkData(taken: Taken): readonly Finding[] {
  return [...neverSet(taken), ...perhapsNotSet(taken)]
}

const broken = (message: string, path: string) => finding('referenced-data', 'ERROR', message, path)

function neverSet({ actions, expressions }: Taken): readonly Finding[] {
  const variables = new Set(actions.map(({ action }) => action.setVariable?.variableName))
  const timers = new Set(actions.map(({ action }) => action.setTimer?.timerName))
  const inExpressions = expressions.flatMap(({ references, path }) => [
    ...references.variables
      .filter((name) => !variables.has(name))
      .map((name) => broken(`The variable '${name}' is used and never set.`, path)),
    ...references.timers
      .filter((name) => !timers.has(name))
      .map((name) => broken(`The timer '${name}' is used and never set.`, path)),
  ])
  const inActions = actions.flatMap(({ action, path }) => {
    const { timerName } = action.resetTimer ?? action.clearTimer ?? {}
    if (timerName === undefined || timers.has(timerName)) return []
    return [broken(`The timer '${timerName}' is used and never set.`, path)]
  })
  return [...inExpressions, ...inActions]
}

/** Variables that some way through the states reads before any of its steps has set them for certain. */
function perhapsNotSet(taken: Taken): readonly Finding[] {
  const atEntry = certainAtEntry(taken)
  const reads = taken.definition.states.flatMap(({ stateName }) => {
    const set = atEntry.get(stateName)
    if (!set) return []
    const events = taken.events.filter(({ state }) => state.stateName === stateName)
    const after = new Set([...set, ...setBy(events.filter(({ phase }) => phase === 'onEnter'))])
    return events.flatMap((event) => readsBeforeSet(taken, event, event.phase === 'onEnter' ? set : after))
  })
  return [...Map.groupBy(reads, ({ variable }) => variable)].map(([variable, places]) => {
    const message = `The variable '${variable}' may not have been set yet where it is read.`
    return finding('referenced-data', 'WARNING', message, ...new Set(places.map(({ path }) => path)))
  })
}

interface Read {
  readonly variable: string
  readonly path: string
}

function readsBeforeSet(taken: Taken, event: LocatedEvent, set: ReadonlySet<string>): readonly Read[] {
  const certain = new Set(set)
  const unsetIn = (expressions: readonly LocatedExpression[]): readonly Read[] =>
    expressions.flatMap(({ references, path }) =>
      references.variables.filter((variable) => !certain.has(variable)).map((variable) => ({ variable, path })),
    )
  const found = event.condition ? [...unsetIn([event.condition])] : []
  for (const { action, expressions } of taken.actions.filter((one) => one.in === event)) {
    found.push(...unsetIn(expressions))
    if (action.setVariable) certain.add(action.setVariable.variableName)
  }
  return found
}

/** The variables that events set without a condition. */
const setBy = (events: readonly LocatedEvent[]): readonly string[] =>
  events
    .filter(({ event: { condition = '' } }) => condition.trim() === '' || condition.trim() === 'true')
    .flatMap(setIn)

const setIn = ({ event }: LocatedEvent): readonly string[] =>
  (event.actions ?? []).flatMap(({ setVariable }) => setVariable?.variableName ?? [])

/** By state, what is set on every way that leads to it; states that no way leads to are left out. */
function certainAtEntry({ definition, events }: Taken): ReadonlyMap<string, ReadonlySet<string>> {
  const certain = new Map<string, ReadonlySet<string>>([[definition.initialStateName, new Set()]])
  const queue = [definition.initialStateName]
  for (let stateName = queue.shift(); stateName !== undefined; stateName = queue.shift()) {
    const own = events.filter(({ state }) => state.stateName === stateName)
    const always = setBy(own.filter(({ event }) => event.nextState === undefined))
    for (const transition of own.filter(({ event }) => event.nextState !== undefined)) {
      const next = transition.event.nextState as string
      const set = new Set([...(certain.get(stateName) ?? []), ...always, ...setIn(transition)])
      const before = certain.get(next)
      const common = before ? before.intersection(set) : set
      if (before && common.size === before.size) continue
      certain.set(next, common)
      queue.push(next)
    }
  }
  return certain
}
