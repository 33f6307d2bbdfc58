import type { Spelling } from './contract.ts'

/** Returns the canonical spelling. */
export function canonical<V extends string>(values: readonly V[], value: Spelling<V>): V {
  const match = values.find((candidate) => candidate.toLowerCase() === value.toLowerCase())
  if (match === undefined) throw new Error(`'${value}' passed its schema but is none of ${values.join(', ')}`)
  return match
}
