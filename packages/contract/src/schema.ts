/**
 * JSON Schema 2020-12 with a TypeScript type. At run time a schema is plain JSON for the validator and OpenAPI; the
 * type is inferred once, where the schema is written, and read back with `Static`.
 */
export interface Schema<T = unknown> {
  readonly '~static': T
}
export type Static<S extends Schema> = S['~static']

interface Marked {
  readonly '~optional': true
}
export type Optional<S extends Schema> = S & Marked
export type ReadOnly<S extends Schema> = S & { readonly readOnly: true }
export type Defaulted<S extends Schema> = S & Marked & { readonly '~default': true }

export type Properties = Readonly<Record<string, Schema>>

type ObjectOf<P extends Properties> = Simplify<
  { [K in keyof P as P[K] extends Marked ? never : K]: P[K]['~static'] } & {
    [K in keyof P as P[K] extends Marked ? K : never]?: P[K]['~static']
  }
>
type Simplify<T> = { [K in keyof T]: T[K] } & {}

export interface ObjectSchema<P extends Properties> extends Schema<ObjectOf<P>> {
  readonly properties: P
}

interface Keywords {
  readonly title?: string
  readonly description?: string
}
interface StringKeywords extends Keywords {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}
interface NumberKeywords extends Keywords {
  readonly minimum?: number
  readonly maximum?: number
}
interface ArrayKeywords extends Keywords {
  readonly minItems?: number
  readonly maxItems?: number
}

const optionals = new WeakSet<object>()
const json = <S>(keywords: object) => keywords as S

export const Type = {
  String: (keywords: StringKeywords = {}) => json<Schema<string>>({ type: 'string', ...keywords }),
  Integer: (keywords: NumberKeywords = {}) => json<Schema<number>>({ type: 'integer', ...keywords }),
  Number: (keywords: NumberKeywords = {}) => json<Schema<number>>({ type: 'number', ...keywords }),
  Boolean: (keywords: Keywords = {}) => json<Schema<boolean>>({ type: 'boolean', ...keywords }),
  Unknown: (keywords: Keywords = {}) => json<Schema<unknown>>({ ...keywords }),
  Enum: <const V extends string>(values: readonly V[]) => json<Schema<V>>({ type: 'string', enum: values }),
  Array: <T>(items: Schema<T>, keywords: ArrayKeywords = {}) =>
    json<Schema<T[]>>({ type: 'array', items, ...keywords }),
  Record: <T>(values: Schema<T>) => json<Schema<Record<string, T>>>({ type: 'object', additionalProperties: values }),
  Union: <S extends Schema[]>(...anyOf: S) => json<Schema<S[number]['~static']>>({ anyOf }),
  Nullable: <T>(schema: Schema<T>) => json<Schema<T | null>>({ anyOf: [schema, { type: 'null' }] }),
  Object<P extends Properties>(properties: P, keywords: Keywords = {}): ObjectSchema<P> {
    const required = Object.keys(properties).filter((name) => !optionals.has(properties[name] as object))
    return json({ type: 'object', properties, ...(required.length > 0 && { required }), ...keywords })
  },
  Optional<S extends Schema>(schema: S): Optional<S> {
    const copy = { ...schema } as Optional<S>
    optionals.add(copy)
    return copy
  },
}

/** A schema with its own name in OpenAPI. */
export function named<P extends Properties>(title: string, properties: P): ObjectSchema<P> {
  return Type.Object(properties, { title })
}

export const oneOf = <const V extends string>(...values: V[]): Schema<V> => Type.Enum(values)

/**
 * A name or ID in a path. An invalid one is not found (404), whereas any other schema makes the request invalid (400).
 */
export function identifier(noun: string, keywords: StringKeywords): Schema<string> {
  return Object.assign(Type.String(keywords), { 'x-icosa-noun': noun })
}

/** A query parameter that is optional for callers and always present for the handler. */
export function withDefault<T>(schema: Schema<T>, value: NoInfer<T>): Defaulted<Schema<T>> {
  return Type.Optional({ ...schema, default: value }) as unknown as Defaulted<Schema<T>>
}

/** A copy with more keywords, optional if the schema was. */
function annotated<S extends Schema, const K extends object>(schema: S, keywords: K): S & K {
  const copy = { ...schema, ...keywords }
  if (optionals.has(schema)) optionals.add(copy)
  return copy
}

/** A property that the service sets and callers only read. */
export const readOnly = <S extends Schema>(schema: S): ReadOnly<S> => annotated(schema, { readOnly: true })

/** Our extension of the specification, marked in OpenAPI. */
export const extension = <S extends Schema>(schema: S): S => annotated(schema, { 'x-icosa-extension': true })

/** A text in which U+0000 is allowed. Elsewhere it is refused, as PostgreSQL cannot store it. */
export const withNul = <S extends Schema>(schema: S): S => annotated(schema, { 'x-icosa-nul': true })

/**
 * A secret whose name does not tell: recorded requests omit its value. Names such as `password` and `accessToken` need
 * no mark.
 */
export const secret = <S extends Schema>(schema: S): S => annotated(schema, { format: 'password' })

type Writable<P extends Properties> = { [K in keyof P as P[K] extends { readonly readOnly: true } ? never : K]: P[K] }

/** The properties that callers may set. Read-only ones are ignored, since clients send back what they received. */
export function writable<P extends Properties>(schema: ObjectSchema<P>): ObjectSchema<Writable<P>> {
  const isReadOnly = (name: string) => 'readOnly' in (schema.properties[name] as Schema)
  const names = Object.keys(schema.properties)
  const settable = names.filter((name) => !isReadOnly(name)).map((name) => [name, schema.properties[name]])
  const input = Type.Object(Object.fromEntries(settable)) as unknown as ObjectSchema<Writable<P>>
  return ignoring(input, names.filter(isReadOnly))
}

/**
 * An object with properties that are accepted without effect, as in the original, because clients send them. All other
 * unknown properties are refused: they may be misspelt.
 */
export function ignoring<S extends Schema>(schema: S, names: readonly string[]): S {
  return names.length === 0 ? schema : annotated(schema, { 'x-icosa-ignored': [...ignoredIn(schema), ...names] })
}

/** The properties ignored by `ignoring`. */
export const ignoredIn = (schema: Schema): readonly string[] =>
  (schema as { 'x-icosa-ignored'?: readonly string[] })['x-icosa-ignored'] ?? []

/** An object with other properties instead of, or in addition to, its own; ignored ones stay ignored. */
export function having<P extends Properties, Q extends Properties>(
  schema: ObjectSchema<P>,
  properties: Q,
): ObjectSchema<Omit<P, keyof Q> & Q> {
  const both = Type.Object({ ...schema.properties, ...properties })
  return ignoring(both, ignoredIn(schema)) as unknown as ObjectSchema<Omit<P, keyof Q> & Q>
}
