import type { Operation, Schema } from '@icosa/contract'
import { Compile } from 'typebox/schema'
import { type Detail, invalid } from '../errors.ts'
import { parseJson } from './json.ts'
import { limits } from './limits.ts'

interface Compiled {
  Check(value: unknown): boolean
  Errors(value: unknown): [valid: boolean, errors: SchemaError[]]
}

// Our own types at this border: TypeBox's would be worked out anew for every schema.
const compile = Compile as unknown as (schema: Schema) => Compiled

export type Part = 'query' | 'headers' | 'body' | 'reply'

/** What is wrong with a value, compiled by the first value it sees: a node boots with none of its thousands. */
export function lazyValidator(schema: Schema, part: Part): (value: unknown) => readonly Detail[] {
  let compiled: Compiled | undefined
  return (value) => {
    compiled ??= compile(schema)
    if (compiled.Check(value)) return none
    const [, errors] = compiled.Errors(value)
    return errors.flatMap((error) => details(part, error))
  }
}

const none: readonly Detail[] = []

interface SchemaError {
  readonly instancePath: string
  readonly keyword: string
  readonly params: { readonly requiredProperties?: readonly string[]; readonly allowedValues?: readonly unknown[] }
  readonly message: string
}

function details(part: Part, { instancePath, params, message }: SchemaError): Detail[] {
  const at = part + instancePath
  if (params.requiredProperties)
    return params.requiredProperties.map((name) => ({ at: `${at}/${name}`, message: 'is required' }))
  if (params.allowedValues) return [{ at, message: `must be one of ${params.allowedValues.join(', ')}` }]
  return [{ at, message }]
}

interface TextSchema {
  readonly type?: string
  readonly items?: TextSchema
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, TextSchema>>
}

type Text = Readonly<Record<string, unknown>>

/** Reads query or headers by their schema: text becomes the schema's types, defaults are filled in, the rest is left. */
export function textReader(schema: Schema | undefined, part: Exclude<Part, 'reply'>): (raw: Text) => Text | undefined {
  if (!schema) return () => undefined
  const properties = Object.entries((schema as TextSchema).properties ?? {})
  const check = lazyValidator(schema, part)
  return (raw) => {
    const value: Record<string, unknown> = {}
    for (const [name, property] of properties) {
      const text = raw[name]
      if (text !== undefined) value[name] = read(property, text)
      else if (property.default !== undefined) value[name] = property.default
    }
    const wrong = check(value)
    if (wrong.length > 0) invalid(wrong)
    return value
  }
}

function read({ type, items = {} }: TextSchema, text: unknown): unknown {
  if (type === 'array') return [text].flat().map((one) => read(items, one))
  if (typeof text !== 'string') return text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if ((type === 'integer' || type === 'number') && text.trim() !== '' && !Number.isNaN(Number(text)))
    return Number(text)
  return text
}

/** Reads a body by its schema. A form's fields become the schema's types, as in a query. */
export function bodyReader({
  body: schema,
  bodyTypes: types = [],
  dialect,
}: Operation): (bytes: unknown, contentType: string) => unknown {
  if (!schema) return () => undefined
  const check = lazyValidator(schema, 'body')
  const readForm = textReader(schema, 'body')
  const forms = types.filter((type) => type !== 'application/json')
  return (bytes, contentType) => {
    const type = contentType.split(';', 1)[0]?.trim().toLowerCase()
    if (forms.some((form) => form === type)) return parseForm(bytes, contentType).then(readForm)
    const value = dialect.bodyOptional && isEmpty(bytes) ? {} : readJson(bytes, contentType)
    const wrong = check(value)
    if (wrong.length > 0) invalid(wrong)
    return value
  }
}

async function parseForm(bytes: unknown, contentType: string): Promise<Text> {
  const body = Buffer.isBuffer(bytes) ? new Uint8Array(bytes) : undefined
  const form = await new Response(body ?? '', { headers: { 'content-type': contentType } }).formData().catch(() => {
    invalid([{ at: 'body', message: `is not ${contentType}` }])
  })
  const byName = Map.groupBy(form, ([name]) => name)
  if (byName.size > limits.fields) invalid([{ at: 'body', message: `has more than ${limits.fields} fields` }])
  return Object.fromEntries([...byName].map(([name, entries]) => [name, unwrapped(entries.map(([, value]) => value))]))
}

const unwrapped = <T>(values: T[]) => (values.length === 1 ? values[0] : values)

const isEmpty = (bytes: unknown): bytes is undefined => !Buffer.isBuffer(bytes) || bytes.length === 0

function readJson(bytes: unknown, contentType: string): unknown {
  if (contentType !== '' && !/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(contentType))
    invalid([{ at: 'headers/content-type', message: `must be application/json, not ${contentType}` }])
  if (isEmpty(bytes)) invalid([{ at: 'body', message: 'is required' }])
  return parseJson(bytes as Buffer)
}
