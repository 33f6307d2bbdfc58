import type { Schema } from '@icosa/contract'
import { invalid } from '@icosa/kernel'
import { camel } from './spelling.ts'

type Json = Readonly<Record<string, unknown>>

interface JsonSchema {
  readonly type?: string
  readonly readOnly?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
}

const asJson = (schema: Schema | undefined) => (schema ?? {}) as unknown as JsonSchema
/** Own properties only: every object has a constructor. */
const memberOf = (schema: Schema, name: string): Schema | undefined => {
  const { properties = {} } = asJson(schema)
  return Object.hasOwn(properties, name) ? properties[name] : undefined
}
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the paths of the fields to update: those in the mask or, without one, in the body. Objects count by their
 * members; maps and lists are single fields. Unknown and read-only fields in a mask are refused.
 */
export function maskedFields(mask: string | undefined, body: unknown, schema: Schema): readonly (readonly string[])[] {
  if (mask === undefined || mask === '') return leaves(body, schema)
  if (mask === '*') return Object.keys(asJson(schema).properties ?? {}).flatMap((name) => writable([name], schema))
  const paths = mask.split(',').map((path) => path.trim().split('.').map(camel))
  for (const path of paths)
    if (!fieldAt(schema, path))
      invalid([{ at: 'query/updateMask', message: `names '${path.join('.')}', which is not a field that can be set` }])
  return paths
}

const writable = (path: readonly string[], schema: Schema) => (fieldAt(schema, path) ? [path] : [])

function fieldAt(schema: Schema, path: readonly string[]): Schema | undefined {
  let field: Schema | undefined = schema
  for (const name of path) {
    field = memberOf(field, name)
    if (!field || asJson(field).readOnly) return undefined
  }
  return field
}

function leaves(body: unknown, schema: Schema, path: readonly string[] = []): (readonly string[])[] {
  if (!isObject(body)) return []
  return Object.entries(body).flatMap(([name, value]) => {
    const member = memberOf(schema, name)
    if (!member || asJson(member).readOnly) return []
    const memberPath = [...path, name]
    return asJson(member).properties ? leaves(value, member, memberPath) : [memberPath]
  })
}

/** Copies `current` with these fields taken from `body`; fields missing there are removed. */
export function withFields(current: Json, body: unknown, fields: readonly (readonly string[])[]): Json {
  return fields.reduce<Json>((changed, path) => withField(changed, body, path), current)
}

function withField(current: unknown, body: unknown, [name = '', ...rest]: readonly string[]): Json {
  const { [name]: old, ...others } = isObject(current) ? current : {}
  const input = isObject(body) ? body[name] : undefined
  const value = rest.length > 0 ? withField(old, input, rest) : input
  const isEmpty = value === undefined || (rest.length > 0 && Object.keys(Object(value)).length === 0)
  return isEmpty ? others : { ...others, [name]: value }
}
