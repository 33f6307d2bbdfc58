import type { Parts } from '@icosa/client'
import { type BodyKind, bodyKind, fileParts, type Operation, paramNames, type Schema } from '@icosa/contract'
import fc from 'fast-check'

/** JSON Schema, as used in our contracts. */
interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

const longest = 60

/** Values that match a schema. */
export function valid(schema: Schema): fc.Arbitrary<unknown> {
  if (bodyKind(schema)) return fc.uint8Array({ maxLength: 2_000 }).map((content) => someBytes(schema, content))
  return fitting(schema as unknown as JsonSchema)
}

/** A file body or multipart form with this content. */
export function someBytes(schema: Schema, content = new Uint8Array()): unknown {
  const kind = bodyKind(schema)
  if (kind?.is === 'multipart')
    return Object.fromEntries(fileParts(schema).map((part) => [part.name, fileOf(part.kind, content)]))
  return kind && fileOf(kind, content)
}

const fileOf = (kind: BodyKind, content: Uint8Array) => ({
  mediaType: ('types' in kind ? kind.types[0] : undefined)?.replaceAll('*', 'x') ?? 'application/octet-stream',
  content,
})

function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting))
  const { minimum = -1e6, maximum = 1e6, minItems = 0, maxItems = 5 } = schema
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.oneof(
        {
          weight: 8,
          arbitrary: fc.integer({ min: Math.max(minimum, -(2 ** 31)), max: Math.min(maximum, 2 ** 31 - 1) }),
        },
        { weight: 1, arbitrary: fc.constantFrom(minimum, maximum) },
      )
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items ?? {}), {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, 5)),
      })
    case 'object':
      return object(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function text({ minLength = 0, maxLength = longest, pattern, format }: JsonSchema): fc.Arbitrary<unknown> {
  if (pattern !== undefined) return matching(pattern)
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T23:59:59Z') })
      .map((date) => date.toISOString())
  if (format === 'uuid') return fc.uuid()
  const upTo = Math.max(minLength, Math.min(maxLength, longest))
  const any = fc.string({ unit: character, minLength, maxLength: upTo, size: 'max' })
  // Most mistakes are at the bounds.
  return fc.oneof(
    { weight: 8, arbitrary: any },
    { weight: 1, arbitrary: fc.constantFrom(minLength, maxLength).map(filler) },
  )
}

/** Any character but NUL, which text must not contain. The library's own unit would first enumerate all million. */
const character = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 1, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code))
const anyCharacter = fc.oneof({ weight: 50, arbitrary: character }, { weight: 1, arbitrary: fc.constant('\0') })

/** Samples of Unicode categories: enumerating all of their characters takes seconds. */
const someOf: readonly (readonly [RegExp, string])[] = [
  [/\\p\{L[a-z]?\}/g, 'a-zA-ZäßΩж中'],
  [/\\p\{N[a-z]?\}/g, '0-9٣'],
  [/\\p\{C[a-z]?\}/g, '\\x00-\\x1f\\x7f-\\x9f\\ud800-\\uf8ff'],
]

const byPattern = new Map<string, fc.Arbitrary<string>>()

function matching(pattern: string): fc.Arbitrary<string> {
  const cached = byPattern.get(pattern)
  if (cached) return cached
  const plain = someOf.reduce((text, [all, some]) => text.replaceAll(all, some), pattern)
  const created = fc.stringMatching(new RegExp(plain))
  byPattern.set(pattern, created)
  return created
}

const filler = (length: number) => 'x'.repeat(length)

function object({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<unknown> {
  // A required field with a default, such as a version, would mostly be refused with any other value.
  const fits = (name: string, property: JsonSchema) =>
    required.includes(name) && property.default !== undefined ? fc.constant(property.default) : fitting(property)
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, fits(name, property)])),
    { requiredKeys: [...required] },
  )
  if (typeof additionalProperties !== 'object') return named
  const rest = fc.dictionary(fc.string({ maxLength: 20 }), fitting(additionalProperties), { maxKeys: 4 })
  return fc.tuple(rest, named).map(([others, own]) => ({ ...others, ...own }))
}

export type Known = Readonly<Record<string, string>>

/** Requests that match the contract. Path parameters often name existing rows. */
export function validRequest(operation: Operation, values: Known): fc.Arbitrary<Parts> {
  return fc.record({
    params: fc.record(
      Object.fromEntries(
        paramNames(operation.path).map((name) => {
          const any = fc.string({ unit: anyCharacter, minLength: 1, maxLength: longest, size: 'max' }).filter(sendable)
          const schema = operation.params?.[name]
          const fits = schema ? (valid(schema) as fc.Arbitrary<string>).filter(sendable) : any
          const existing = values[name]
          return [name, existing === undefined ? fits : fc.oneof(fc.constant(existing), fits, any)]
        }),
      ),
    ),
    query: operation.query ? (valid(operation.query) as fc.Arbitrary<Record<string, unknown>>) : fc.constant({}),
    ...(operation.body && { body: valid(operation.body) }),
  })
}

/** Whether a URL parser keeps the path segment. */
const sendable = (segment: string) => segment !== '' && segment !== '.' && segment !== '..' && segment.isWellFormed()

/** Requests with one error; undefined if the operation accepts anything. */
export function malformedRequest(operation: Operation, values: Known): fc.Arbitrary<Parts> | undefined {
  const breakers: ((parts: Parts) => Parts)[] = []
  for (const [name, wrong] of wrongProperties(operation.query, isWrongText))
    breakers.push((parts) => ({ ...parts, query: { ...parts.query, [name]: wrong } }))
  for (const [name, wrong] of wrongProperties(bodyKind(operation.body) ? undefined : operation.body, () => true))
    breakers.push((parts) => ({ ...parts, body: { ...(parts.body as object), [name]: wrong } }))
  if (operation.body && !bodyKind(operation.body)) breakers.push((parts) => ({ ...parts, body: 'not an object' }))
  if (breakers.length === 0) return undefined
  return fc.tuple(validRequest(operation, values), fc.constantFrom(...breakers)).map(([parts, spoil]) => spoil(parts))
}

/** Query values are text, so only some types can be wrong there. */
const isWrongText = ({ type, enum: values }: JsonSchema) =>
  type === 'integer' || type === 'number' || values !== undefined

function wrongProperties(
  schema: Schema | undefined,
  can: (property: JsonSchema) => boolean,
): (readonly [name: string, wrong: unknown])[] {
  const { properties = {}, required = [] } = (schema ?? {}) as unknown as JsonSchema
  return Object.entries(properties).flatMap(([name, property]) => {
    const missing = required.includes(name) ? [[name, undefined] as const] : []
    const typed = property.type !== undefined || property.enum !== undefined
    if (!typed || !can(property)) return missing
    const wrong = property.type === 'string' && property.enum === undefined ? { not: 'text' } : 'certainly-not-this'
    return [...missing, [name, wrong] as const]
  })
}
