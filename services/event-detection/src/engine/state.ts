import { readNumber, showJson, type Value } from '../expressions/value.ts'
import { maxTimerSeconds } from '../models/actions/contract.ts'
import type { Model } from './compile.ts'
import type { DetectorState } from './types.ts'

/** A detector's state as clients read it; times in seconds. */
export interface StateView {
  readonly stateName: string
  readonly variables: readonly { readonly name: string; readonly value: string }[]
  readonly timers: readonly { readonly name: string; readonly timestamp: number }[]
}

/** A detector's state as clients write it. */
export interface StateInput {
  readonly stateName: string
  readonly variables: readonly { readonly name: string; readonly value: string }[]
  readonly timers: readonly { readonly name: string; readonly seconds: number }[]
}

export const toStateView = ({ stateName, variables, timers }: DetectorState): StateView => ({
  stateName,
  variables: Object.entries(variables).map(([name, value]) => ({ name, value: showJson(value) })),
  timers: Object.entries(timers).map(([name, at]) => ({ name, timestamp: at / 1000 })),
})

/** Returns the problem with a state set by a client, or undefined. */
export function problemWith(model: Model, { stateName, timers }: StateInput): string | undefined {
  if (!model.states.has(stateName)) return `The detector model has no state '${stateName}'.`
  const invalidTimer = timers.find(({ seconds }) => seconds < 1 || seconds > maxTimerSeconds)
  return invalidTimer && `The timer '${invalidTimer.name}' takes 1 to ${maxTimerSeconds} seconds.`
}

/** Creates the state set by a client: omitted variables and timers are removed. */
export function stateFromInput(input: StateInput, previous: DetectorState | undefined, at: number): DetectorState {
  return {
    stateName: input.stateName,
    variables: Object.fromEntries(input.variables.map(({ name, value }) => [name, readValue(value)])),
    timers: Object.fromEntries(input.timers.map(({ name, seconds }) => [name, at + seconds * 1000])),
    durations: Object.fromEntries(input.timers.map(({ name, seconds }) => [name, seconds])),
    elapsed: [],
    inputs: previous?.inputs ?? {},
  }
}

/** Parses `22`, `1.0`, `true` and `"01"` by type; anything else is a string. */
export function readValue(text: string): Value {
  if (text === 'true' || text === 'false') return text === 'true'
  const number = readNumber(text)
  if (number !== undefined) return number
  try {
    const quoted: unknown = JSON.parse(text)
    return typeof quoted === 'string' ? quoted : text
  } catch {
    return text
  }
}
