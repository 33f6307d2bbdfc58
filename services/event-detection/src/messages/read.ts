import { isUtf8 } from 'node:buffer'
import type { RoutedInput } from '../catalog/catalog.ts'
import { valueAt } from '../expressions/payload.ts'
import type { Segment } from '../expressions/syntax.ts'
import { show } from '../expressions/value.ts'
import { keyPattern } from '../shapes/contract.ts'

/** The largest message, in bytes of JSON. */
export const largestPayload = 65_536

/** A message's content: the text, which tells 20.0 from 20, and what it says. */
export interface Content {
  readonly text: string
  readonly json: object
}

/** What a payload says, or in words why it says nothing. */
export function readContent(payload: string): Content | string {
  const text = payload.startsWith('{') ? payload : decoded(payload)
  if (text === undefined) return 'The payload is not UTF-8 in base 64.'
  return contentOf(text)
}

export function contentOf(text: string): Content | string {
  if (text.length > largestPayload || Buffer.byteLength(text) > largestPayload)
    return `The payload has more than ${largestPayload} bytes.`
  const json = parsed(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'The payload is not a JSON object.'
  return { text, json }
}

/** Characters that base 64 does not have are passed over: what they leave is hardly ever JSON. */
function decoded(payload: string): string | undefined {
  const bytes = Buffer.from(payload, 'base64')
  return isUtf8(bytes) ? bytes.toString() : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isKey = new RegExp(keyPattern)

/** Where a message goes: to instances of models, by the key that it names. */
export interface Destination {
  readonly modelId: string
  readonly key: string
}

/**
 * Where a message goes, or in words why nowhere. A model whose key it does not have is not concerned; a message that
 * concerns none of the models because of that is a mistake.
 */
export function destinationsOf({ attributes, routes }: RoutedInput, { json }: Content): Destination[] | string {
  if (!attributes.some((path) => isThere(json, path))) return 'The payload has none of the attributes of the input.'
  const destinations: Destination[] = []
  let missing: string | undefined
  for (const { modelId, key } of routes) {
    const value = key === undefined ? '' : keyAt(json, key.path)
    if (value !== undefined) destinations.push({ modelId, key: value })
    else missing ??= key?.attribute
  }
  if (missing === undefined || destinations.length > 0) return destinations
  return `The payload has no key at '${missing}': a whole number, or up to 128 letters, digits, '-', '_' and ':'.`
}

function keyAt(json: object, path: readonly Segment[]): string | undefined {
  const value = valueAt(json, path)
  if (value === undefined || value === null || typeof value === 'boolean') return undefined
  const key = show(value)
  return isKey.test(key) ? key : undefined
}

function isThere(json: unknown, path: readonly Segment[]): boolean {
  let found = json
  for (const segment of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, segment)) return false
    found = (found as Record<Segment, unknown>)[segment]
  }
  return found !== undefined
}
