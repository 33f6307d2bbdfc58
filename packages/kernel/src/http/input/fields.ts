import { ignoredIn, type Schema } from '@icosa/contract'
import { meantBy } from '@icosa/settings'

interface ObjectLike {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** A copy of a schema whose objects allow no additional properties. */
export function closed(schema: Schema): Schema {
  return close(schema) as Schema
}

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close)
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]))
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy
}

/** Removes ignored properties. Checks on the first value, not on start-up, whether the schema has any. */
export function ignoredRemover(schema: Schema): (value: unknown) => unknown {
  let ignores: boolean | undefined
  return (value) => {
    ignores ??= ignoresAny(schema)
    return ignores ? withoutIgnored(schema, value) : value
  }
}

function ignoresAny(schema: Schema): boolean {
  const { properties = {}, items, anyOf = [] } = schema as ObjectLike
  const below = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])]
  return ignoredIn(schema).length > 0 || below.some(ignoresAny)
}

function withoutIgnored(schema: Schema, value: unknown): unknown {
  const { properties = {}, items, anyOf = [] } = schema as ObjectLike
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return items ? value.map((item) => withoutIgnored(items, item)) : value
  const ignored = ignoredIn(schema)
  const members = Object.entries(value).flatMap(([name, member]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (property) return [[name, withoutIgnored(property, member)]]
    return ignored.includes(name) ? [] : [[name, member]]
  })
  return anyOf.reduce<unknown>((rest, choice) => withoutIgnored(choice, rest), Object.fromEntries(members))
}

/** Explains an unknown property, with the nearest known name at this path of the schema. */
export function unknownField(schema: Schema, schemaPath: string, name: string): string {
  const names = Object.keys((schemaAt(schema, schemaPath) as ObjectLike).properties ?? {})
  const suggestion = meantBy(name, names)
  return suggestion === undefined ? 'is unknown' : `is unknown; did you mean '${suggestion}'?`
}

function schemaAt(schema: Schema, path: string): object {
  const steps = path.split('/').slice(1)
  return steps.reduce<Record<string, unknown>>(
    (at, step) => at[step.replaceAll('~1', '/').replaceAll('~0', '~')] as Record<string, unknown>,
    schema as unknown as Record<string, unknown>,
  )
}
