import type { Spelling } from './contract.ts'

/** The word as we write it. */
export function canonical<V extends string>(values: readonly V[], value: Spelling<V>): V {
  const found = values.find((one) => one.toLowerCase() === value.toLowerCase())
  if (found === undefined) throw new Error(`'${value}' passed its schema but is none of ${values.join(', ')}`)
  return found
}
