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
export interface GivenState {
  readonly stateName: string
  readonly variables: readonly { readonly name: string; readonly value: string }[]
  readonly timers: readonly { readonly name: string; readonly seconds: number }[]
}

export const toStateView = ({ stateName, variables, timers }: DetectorState): StateView => ({
  stateName,
  variables: Object.entries(variables).map(([name, value]) => ({ name, value: showJson(value) })),
  timers: Object.entries(timers).map(([name, at]) => ({ name, timestamp: at / 1000 })),
})

/** What is wrong with a state that a client wants to put a detector in; undefined if nothing is. */
export function problemWith(model: Model, { stateName, timers }: GivenState): string | undefined {
  if (!model.states.has(stateName)) return `The detector model has no state '${stateName}'.`
  const wrong = timers.find(({ seconds }) => seconds < 1 || seconds > maxTimerSeconds)
  return wrong && `The timer '${wrong.name}' takes 1 to ${maxTimerSeconds} seconds.`
}

/** The state that a client puts a detector in: no event happens, and what is not mentioned is gone. */
export function givenState(given: GivenState, previous: DetectorState | undefined, at: number): DetectorState {
  return {
    stateName: given.stateName,
    variables: Object.fromEntries(given.variables.map(({ name, value }) => [name, readValue(value)])),
    timers: Object.fromEntries(given.timers.map(({ name, seconds }) => [name, at + seconds * 1000])),
    durations: Object.fromEntries(given.timers.map(({ name, seconds }) => [name, seconds])),
    elapsed: [],
    inputs: previous?.inputs ?? {},
  }
}

/** `22`, `1.0`, `true` and `"01"` are what they look like; anything else is a text. */
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
