import { maxTextLength } from './operators.ts'
import type { Segment } from './syntax.ts'
import { decimal, integer, isProblem, type Value } from './value.ts'

// TypeScript does not know yet that a reviver gets the number as it was written, nor raw JSON.
interface SourceJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}
const json = JSON as unknown as SourceJson

const wholeDecimal = /\d\.0*(?![\d])|\d[eE]/

/** Reads a message. JSON.parse would take 20.0 for an integer, and then halves of it would be rounded. */
export function readPayload(text: string): unknown {
  if (!wholeDecimal.test(text)) return JSON.parse(text)
  return json.parse(text, (_, value, { source }) =>
    source !== undefined && Number.isSafeInteger(value) && /[.eE]/.test(source) ? json.rawJSON(source) : value,
  )
}

/** The single value at a path; undefined if there is none, or an object or array. */
export function valueAt(payload: unknown, path: readonly Segment[]): Value | undefined {
  let found = payload
  for (const segment of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, segment)) return undefined
    if (Array.isArray(found) !== (typeof segment === 'number')) return undefined
    found = (found as Record<Segment, unknown>)[segment]
  }
  if (found === null || typeof found === 'boolean') return found
  if (typeof found === 'string') return found.length > maxTextLength ? undefined : found
  const number = typeof found === 'number' ? integer(found) : json.isRawJSON(found) && decimal(Number(found.rawJSON))
  return number === false || isProblem(number) ? undefined : number
}

/** A path as inputs and keys have it: names with dots, also with hyphens, and in backticks with spaces. */
export const pathOf = (attribute: string): readonly Segment[] =>
  [...attribute.matchAll(/`([^`]*)`|([^.`]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** The detector that a message is for: what its key attribute says. */
export function keyValueOf(key: string, payload: unknown): string | undefined {
  const value = valueAt(payload, pathOf(key))
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' ? String(value) : undefined
}
