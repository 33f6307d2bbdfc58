import { valueAt } from '../expressions/payload.ts'
import { type InputReference, pathText, type Segment } from '../expressions/syntax.ts'
import type { Value } from '../expressions/value.ts'
import type { InputValues } from './types.ts'

/** Paths that expressions read, by input. */
export type Reads = ReadonlyMap<string, readonly ReadPath[]>
interface ReadPath {
  readonly name: string
  readonly path: readonly Segment[]
}

export function readsOf(references: readonly InputReference[]): Reads {
  const reads = new Map<string, ReadPath[]>()
  for (const { input, path } of references) {
    const paths = reads.get(input) ?? []
    const name = pathText(path)
    if (!paths.some((existing) => existing.name === name)) paths.push({ name, path })
    reads.set(input, paths)
  }
  return reads
}

/** Stores the values of a message that expressions read, for later messages of other inputs and timers. */
export function updateInputs(inputs: InputValues, reads: Reads, inputName: string, payload: unknown): InputValues {
  const paths = reads.get(inputName)
  if (!paths) return inputs
  const values: Record<string, Value> = {}
  for (const { name, path } of paths) {
    const value = valueAt(payload, path)
    if (value !== undefined) values[name] = value
  }
  return { ...inputs, [inputName]: values }
}
