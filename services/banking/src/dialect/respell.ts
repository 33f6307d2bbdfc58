import { originalName } from '../names.ts'

/** An answer with the original names of its fields and wrappers. */
export function inOriginal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOriginal)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [originalName(name), inOriginal(field)]))
}
