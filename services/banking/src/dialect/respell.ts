import type { Schema } from '@icosa/contract'
import { neutralName, originalName } from '../names.ts'

/** Replaces neutral names of fields and wrappers with the original ones. */
export function inOriginal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOriginal)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [originalName(name), inOriginal(field)]))
}

interface Shape {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** Replaces original field names with those of the contract. */
export function inNeutral(value: unknown, schema: Schema): unknown {
  const { properties, items } = schema as Shape
  if (Array.isArray(value)) return items ? value.map((item) => inNeutral(item, items)) : value
  if (!properties || typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => {
    const neutral = Object.hasOwn(properties, name) ? name : neutralName(name)
    const property = Object.hasOwn(properties, neutral) ? properties[neutral] : undefined
    return property ? [neutral, inNeutral(member, property)] : [name, member]
  })
  return Object.fromEntries(members)
}
