import type { Schema } from '@icosa/contract'
import fc from 'fast-check'
import { type Known, valid } from '../arbitrary.ts'

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly readOnly?: boolean
  readonly items?: JsonSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly minItems?: number
}

export interface PlainOptions {
  /** Values of fields with these names: ids of existing rows. */
  readonly known: Known
  /** Whether optional fields are included. */
  readonly isFull: boolean
}

/** A value that a person might write, unlike the generated ones: a text is the name of its field. */
export function plain(schema: Schema, options: PlainOptions, name = 'text'): unknown {
  const { const: constant, default: preset, anyOf, ...shape } = schema as unknown as JsonSchema
  const inner = (member: JsonSchema, as = name) => plain(member as unknown as Schema, options, as)
  if (constant !== undefined) return constant
  if (preset !== undefined) return preset
  if (shape.enum) return shape.enum[0]
  if (anyOf) return inner(anyOf.find(({ type }) => type !== 'null') ?? {})
  switch (shape.type) {
    case 'string':
      return options.known[name] ?? plainText(shape, schema, name)
    case 'integer':
    case 'number':
      return Math.max(shape.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'array':
      return options.isFull || shape.minItems ? [inner(shape.items ?? {})] : []
    case 'object': {
      const { properties = {}, required = [] } = shape
      const members = Object.entries(properties).filter(
        ([member, { readOnly }]) => required.includes(member) || (options.isFull && !readOnly),
      )
      return Object.fromEntries(members.map(([member, of]) => [member, inner(of, member)]))
    }
    default:
      return name
  }
}

function plainText(shape: JsonSchema, schema: Schema, name: string): unknown {
  const { minLength = 0, maxLength = 60, pattern, format } = shape
  if (format === 'date-time') return '2026-03-01T12:00:00Z'
  if (format === undefined && (pattern === undefined || new RegExp(pattern, 'u').test(name)))
    return name.slice(0, maxLength).padEnd(minLength, '-')
  return fc.sample(valid(schema), { numRuns: 1, seed: 1 })[0]
}
