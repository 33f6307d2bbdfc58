import type { Schema } from '@icosa/contract'
import { camel } from './spelling.ts'

interface JsonSchema {
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/**
 * Converts a body to the contract's form. Callers may send an enumeration's index, null for omitted fields, and field
 * names in camel or snake case.
 */
export function normalize(value: unknown, schema: Schema | undefined): unknown {
  const { enum: words, properties, items } = (schema ?? {}) as unknown as JsonSchema
  if (words && typeof value === 'number') return words[value] ?? value
  if (Array.isArray(value)) return items ? value.map((one) => normalize(one, items)) : value
  if (typeof value !== 'object' || value === null || !properties) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (member === null) return []
    const own = Object.hasOwn(properties, name) ? name : camel(name)
    const isKnown = Object.hasOwn(properties, own)
    if (!isKnown && saysNothing(member)) return []
    return [[isKnown ? own : name, normalize(member, isKnown ? properties[own] : undefined)] as const]
  })
  return Object.fromEntries(members)
}

/** Clients send all fields they know with their zero values, including those unknown to us. */
function saysNothing(value: unknown): boolean {
  if (typeof value === 'string') return value === '' || value.endsWith('_UNSPECIFIED')
  if (typeof value !== 'object' || value === null) return value === null || value === 0 || value === false
  return Object.values(value).every(saysNothing)
}
