import type { ModelParts } from './check.ts'
import { type Finding, finding } from './findings.ts'
import type { LocatedEvent, LocatedExpression } from './located.ts'

export function checkData(parts: ModelParts): readonly Finding[] {
  return [...neverSet(parts), ...maybeUnset(parts)]
}

const error = (message: string, path: string) => finding('referenced-data', 'ERROR', message, path)

function neverSet({ actions, expressions }: ModelParts): readonly Finding[] {
  const variables = new Set(actions.map(({ action }) => action.setVariable?.variableName))
  const timers = new Set(actions.map(({ action }) => action.setTimer?.timerName))
  const inExpressions = expressions.flatMap(({ references, path }) => [
    ...references.variables
      .filter((name) => !variables.has(name))
      .map((name) => error(`The variable '${name}' is used but never set.`, path)),
    ...references.timers
      .filter((name) => !timers.has(name))
      .map((name) => error(`The timer '${name}' is used but never set.`, path)),
  ])
  const inActions = actions.flatMap(({ action, path }) => {
    const { timerName } = action.resetTimer ?? action.clearTimer ?? {}
    if (timerName === undefined || timers.has(timerName)) return []
    return [error(`The timer '${timerName}' is used but never set.`, path)]
  })
  return [...inExpressions, ...inActions]
}

/** Variables that some path through the states reads before they are definitely set. */
function maybeUnset(parts: ModelParts): readonly Finding[] {
  const atEntry = definitelySetAtEntry(parts)
  const reads = parts.definition.states.flatMap(({ stateName }) => {
    const set = atEntry.get(stateName)
    if (!set) return []
    const events = parts.events.filter(({ state }) => state.stateName === stateName)
    const after = new Set([...set, ...setBy(events.filter(({ phase }) => phase === 'onEnter'))])
    return events.flatMap((event) => readsBeforeSet(parts, event, event.phase === 'onEnter' ? set : after))
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

function readsBeforeSet(parts: ModelParts, event: LocatedEvent, set: ReadonlySet<string>): readonly Read[] {
  const certain = new Set(set)
  const unsetIn = (expressions: readonly LocatedExpression[]): readonly Read[] =>
    expressions.flatMap(({ references, path }) =>
      references.variables.filter((variable) => !certain.has(variable)).map((variable) => ({ variable, path })),
    )
  const reads = event.condition ? [...unsetIn([event.condition])] : []
  for (const { action, expressions } of parts.actions.filter((located) => located.in === event)) {
    reads.push(...unsetIn(expressions))
    if (action.setVariable) certain.add(action.setVariable.variableName)
  }
  return reads
}

/** Variables that events set unconditionally. */
const setBy = (events: readonly LocatedEvent[]): readonly string[] =>
  events
    .filter(({ event: { condition = '' } }) => condition.trim() === '' || condition.trim() === 'true')
    .flatMap(setIn)

const setIn = ({ event }: LocatedEvent): readonly string[] =>
  (event.actions ?? []).flatMap(({ setVariable }) => setVariable?.variableName ?? [])

/** Variables that are set on every path to a state, by state; without unreachable states. */
function definitelySetAtEntry({ definition, events }: ModelParts): ReadonlyMap<string, ReadonlySet<string>> {
  const certain = new Map<string, ReadonlySet<string>>([[definition.initialStateName, new Set()]])
  const queue = [definition.initialStateName]
  for (let stateName = queue.shift(); stateName !== undefined; stateName = queue.shift()) {
    const own = events.filter(({ state }) => state.stateName === stateName)
    const always = setBy(own.filter(({ event }) => event.nextState === undefined))
    for (const transition of own.filter(({ event }) => event.nextState !== undefined)) {
      const next = transition.event.nextState as string
      const set = new Set([...(certain.get(stateName) ?? []), ...always, ...setIn(transition)])
      const previous = certain.get(next)
      const common = previous ? previous.intersection(set) : set
      if (previous && common.size === previous.size) continue
      certain.set(next, common)
      queue.push(next)
    }
  }
  return certain
}
