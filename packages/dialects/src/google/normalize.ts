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
  const { enum: values, properties, items } = (schema ?? {}) as unknown as JsonSchema
  if (values && typeof value === 'number') return values[value] ?? value
  if (Array.isArray(value)) return items ? value.map((item) => normalize(item, items)) : value
  if (typeof value !== 'object' || value === null || !properties) return value
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (member === null) return []
    const fieldName = Object.hasOwn(properties, name) ? name : camel(name)
    const isKnown = Object.hasOwn(properties, fieldName)
    if (!isKnown && isZero(member)) return []
    return [[isKnown ? fieldName : name, normalize(member, isKnown ? properties[fieldName] : undefined)] as const]
  })
  return Object.fromEntries(members)
}

/** Clients send all fields they know with their zero values, including those unknown to us. */
function isZero(value: unknown): boolean {
  if (typeof value === 'string') return value === '' || value.endsWith('_UNSPECIFIED')
  if (typeof value !== 'object' || value === null) return value === null || value === 0 || value === false
  return Object.values(value).every(isZero)
}
