import type { Schema } from '@icosa/contract'
import { camel } from './spelling.ts'

interface JsonSchema {
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/**
 * A body as the contract writes it. Callers may send a word of an enumeration as its number, and null for what they leave
 * out; names of fields in the spelling of either the JSON or the original definition.
 */
export function normalize(value: unknown, schema: Schema | undefined): unknown {
  const { enum: words, properties, items } = (schema ?? {}) as unknown as JsonSchema
  if (words && typeof value === 'number') return words[value] ?? value
  if (Array.isArray(value)) return items ? value.map((one) => normalize(one, items)) : value
  if (typeof value !== 'object' || value === null || !properties) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (member === null) return []
    const own = name in properties ? name : camel(name)
    return [[own, normalize(member, properties[own])] as const]
  })
  return Object.fromEntries(members)
}
