import { maxTextLength } from './operators.ts'
import type { Segment } from './syntax.ts'
import { decimal, integer, isProblem, type Value } from './value.ts'

// Missing in the types of TypeScript: source text for revivers, and raw JSON.
interface SourceJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
  isRawJSON(value: unknown): value is { readonly rawJSON: string }
}
const json = JSON as unknown as SourceJson

const wholeDecimal = /\d\.0*(?![\d])|\d[eE]/

/** Parses a message. JSON.parse would turn 20.0 into an integer, whose division rounds. */
export function readPayload(text: string): unknown {
  if (!wholeDecimal.test(text)) return JSON.parse(text)
  return json.parse(text, (_, value, { source }) =>
    source !== undefined && Number.isSafeInteger(value) && /[.eE]/.test(source) ? json.rawJSON(source) : value,
  )
}

/** The scalar at a path; undefined if missing, or an object or array. */
export function valueAt(payload: unknown, path: readonly Segment[]): Value | undefined {
  let current = payload
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return undefined
    if (Array.isArray(current) !== (typeof segment === 'number')) return undefined
    current = (current as Record<Segment, unknown>)[segment]
  }
  if (current === null || typeof current === 'boolean') return current
  if (typeof current === 'string') return current.length > maxTextLength ? undefined : current
  const number =
    typeof current === 'number' ? integer(current) : json.isRawJSON(current) && decimal(Number(current.rawJSON))
  return number === false || isProblem(number) ? undefined : number
}

/** Parses a path of an input or key: names separated by dots, with hyphens, or in backticks with spaces. */
export const pathOf = (attribute: string): readonly Segment[] =>
  [...attribute.matchAll(/`([^`]*)`|([^.`]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** Key of the detector that a message is addressed to. */
export function keyValueOf(key: string, payload: unknown): string | undefined {
  const value = valueAt(payload, pathOf(key))
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' ? String(value) : undefined
}
