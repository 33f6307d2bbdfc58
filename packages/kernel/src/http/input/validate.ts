import { ignoredIn, type Operation, type Schema, Type } from '@icosa/contract'
import { Compile } from 'typebox/schema'
import { isAllowed, type NulSchema, unstorable } from '../../db/storable.ts'
import { type Detail, invalid } from '../../errors.ts'
import { unknownField } from './fields.ts'

interface Compiled {
  Check(value: unknown): boolean
  Errors(value: unknown): [valid: boolean, errors: SchemaError[]]
}

// Our own types at this boundary: the compiler would evaluate TypeBox's anew for every schema.
const compile = Compile as unknown as (schema: Schema) => Compiled

export type Part = 'path' | 'query' | 'headers' | 'body' | 'reply'

/** Returns the problems with a value. Compiled on first use: a node starts with thousands of schemas. */
export function lazyValidator(
  schema: Schema,
  part: Part,
  prepare = (own: Schema) => own,
): (value: unknown) => readonly Detail[] {
  let compiled: Compiled | undefined
  return (value) => {
    compiled ??= compile(prepare(schema))
    if (compiled.Check(value)) return none
    const [, errors] = compiled.Errors(value)
    return errors.flatMap((error) => details(schema, part, error))
  }
}

const none: readonly Detail[] = []

interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly schemaPath: string
  readonly params: {
    readonly requiredProperties?: readonly string[]
    readonly allowedValues?: readonly unknown[]
    readonly additionalProperties?: readonly string[]
  }
  readonly message: string
}

function details(schema: Schema, part: Part, error: SchemaError): Detail[] {
  const { instancePath, keyword, schemaPath, params, message } = error
  const at = part + instancePath
  if (params.additionalProperties)
    return params.additionalProperties.map((name) => ({
      at: `${at}/${name}`,
      message: unknownField(schema, schemaPath, name),
    }))
  if (keyword === 'boolean') return [] // reported above as an additional property
  if (params.requiredProperties)
    return params.requiredProperties.map((name) => ({ at: `${at}/${name}`, message: 'is required' }))
  if (params.allowedValues) return [{ at, message: `must be one of ${params.allowedValues.join(', ')}` }]
  return [{ at, message }]
}

interface TextSchema extends NulSchema {
  readonly type?: string
  readonly items?: TextSchema
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, TextSchema>>
}

export type Text = Readonly<Record<string, unknown>>

/** Reads the fields of a form by its schema, as a query; unknown fields are refused. */
export function formReader(schema: Schema): (raw: Text) => Text {
  const read = textReader(schema, 'body') as (raw: Text) => Text
  const refuseUnknown = unknownRefuser(schema, 'body')
  return (raw) => read(refuseUnknown(raw))
}

function unknownRefuser(schema: Schema, part: Part): (raw: Text) => Text {
  const names = new Set([...Object.keys((schema as TextSchema).properties ?? {}), ...ignoredIn(schema)])
  return (raw) => {
    const unknown = Object.keys(raw).filter((name) => !names.has(name))
    if (unknown.length > 0)
      invalid(unknown.map((name) => ({ at: `${part}/${name}`, message: unknownField(schema, '#', name) })))
    return raw
  }
}

/** Reads query or headers by their schema: converts types, fills in defaults and ignores the rest. */
export function textReader(schema: Schema | undefined, part: Exclude<Part, 'reply'>): (raw: Text) => Text | undefined {
  if (!schema) return () => undefined
  const properties = Object.entries((schema as TextSchema).properties ?? {})
  const check = lazyValidator(schema, part)
  return (raw) => {
    const value: Record<string, unknown> = {}
    for (const [name, property] of properties) {
      const text = raw[name]
      if (text !== undefined) value[name] = read(property, text, `${part}/${name}`)
      else if (property.default !== undefined) value[name] = property.default
    }
    const details = check(value)
    if (details.length > 0) invalid(details)
    return value
  }
}

/** Reads a query. The dialect decides about the case of names and about unknown ones. */
export function queryReader({ query, dialect }: Operation): (raw: Text) => Text | undefined {
  const readKnown = textReader(query, 'query')
  const refuseUnknown = dialect.queryUnknown && unknownRefuser(query ?? Type.Object({}), 'query')
  const read = refuseUnknown ? (raw: Text) => readKnown(refuseUnknown(raw)) : readKnown
  if (dialect.queryCase === 'ignored') return (raw) => read(inLowerCase(raw))
  return dialect.queryEmpty === 'absent' ? (raw) => read(withoutEmpty(raw)) : read
}

const withoutEmpty = (raw: Text): Text => Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== ''))

/** Repeated parameters become a list, in any case. */
function inLowerCase(raw: Text): Text {
  const lower: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(raw)) {
    const key = name.toLowerCase()
    lower[key] = key in lower ? [lower[key], value].flat() : value
  }
  return lower
}

function read(schema: TextSchema, text: unknown, at: string): unknown {
  const { type, items = {} } = schema
  if (type === 'array') return [text].flat().map((item) => read(items, item, at))
  if (typeof text !== 'string') return text
  if (!isAllowed(text, schema)) unstorable(at)
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && !Number.isNaN(Number(text)))
    return Number(text)
  return text
}
