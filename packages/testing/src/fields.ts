import type { Schema } from '@icosa/contract'
import fc from 'fast-check'
import { valid } from './arbitrary.ts'

/** A field that a body can have. What is chosen among several forms, a list and a map are one field each. */
export interface Field {
  readonly path: readonly string[]
  readonly schema: Schema
  /** The objects on the way to it, the body first. */
  readonly within: readonly Schema[]
}

interface ObjectSchema {
  readonly type?: string
  readonly readOnly?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

const asObject = (schema: Schema) => schema as unknown as ObjectSchema

export function fieldsOf(schema: Schema, path: readonly string[] = [], within: readonly Schema[] = []): Field[] {
  return Object.entries(asObject(schema).properties ?? {}).flatMap(([name, member]) => {
    const [here, around] = [
      [...path, name],
      [...within, schema],
    ]
    if (asObject(member).readOnly) return []
    return asObject(member).properties ? fieldsOf(member, here, around) : { path: here, schema: member, within: around }
  })
}

/** The names of all members that a value of this schema can have, however deep. */
export function namesIn(schema: Schema | null): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const { properties = {}, items, anyOf = [], additionalProperties } = asObject(schema)
  const more = typeof additionalProperties === 'object' ? [additionalProperties] : []
  const below = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...more]
  return [...Object.keys(properties), ...below.flatMap(namesIn)]
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], value)
}

/** A copy with this value there; objects on the way that are missing are made up. */
export function withValueAt(body: unknown, { path, within }: Field, value: unknown): unknown {
  const [name = '', ...rest] = path
  const [own, ...others] = within
  const object = (body ?? fc.sample(valid(own as Schema), { numRuns: 1, seed: 1 })[0]) as Record<string, unknown>
  if (rest.length === 0) return { ...object, [name]: value }
  return { ...object, [name]: withValueAt(object[name], { path: rest, within: others, schema: own as Schema }, value) }
}
