import { isUtf8 } from 'node:buffer'
import type { RoutedInput } from '../catalog/catalog.ts'
import { valueAt } from '../expressions/payload.ts'
import type { Segment } from '../expressions/syntax.ts'
import { show } from '../expressions/value.ts'
import { keyPattern } from '../shapes/contract.ts'

export const maxPayloadBytes = 65_536

/** Content of a message: parsed, and as text, which distinguishes 20.0 from 20. */
export interface Content {
  readonly text: string
  readonly json: object
}

/** Decodes a payload, or returns an error message. */
export function readContent(payload: string): Content | string {
  const text = payload.startsWith('{') ? payload : decodeBase64(payload)
  if (text === undefined) return 'The payload is not UTF-8 in base 64.'
  return contentOf(text)
}

export function contentOf(text: string): Content | string {
  if (text.length > maxPayloadBytes || Buffer.byteLength(text) > maxPayloadBytes)
    return `The payload has more than ${maxPayloadBytes} bytes.`
  const json = parseJson(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return 'The payload is not a JSON object.'
  return { text, json }
}

/** Ignores invalid characters, which hardly ever leave JSON. */
function decodeBase64(payload: string): string | undefined {
  const bytes = Buffer.from(payload, 'base64')
  return isUtf8(bytes) ? bytes.toString() : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isKey = new RegExp(keyPattern)

/** Instance that a message is routed to. */
export interface Destination {
  readonly modelId: string
  readonly key: string
}

/**
 * Instances that a message is routed to, or an error message. Models whose key is missing are skipped; a message that matches
 * none for that reason is an error.
 */
export function destinationsOf({ attributes, routes }: RoutedInput, { json }: Content): Destination[] | string {
  if (!attributes.some((path) => hasPath(json, path))) return 'The payload has none of the attributes of the input.'
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

function hasPath(json: unknown, path: readonly Segment[]): boolean {
  let current = json
  for (const segment of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment)) return false
    current = (current as Record<Segment, unknown>)[segment]
  }
  return current !== undefined
}
