import type { Schema } from '@icosa/contract'
import fc from 'fast-check'
import { valid } from '../arbitrary.ts'

/** A field of a body. A union, a list and a map are one field each. */
export interface Field {
  readonly path: readonly string[]
  readonly schema: Schema
  /** Schemas of the enclosing objects, the body first. */
  readonly within: readonly Schema[]
}

interface JsonSchema {
  readonly type?: string
  readonly readOnly?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

type Json = Readonly<Record<string, unknown>>

const asJson = (schema: Schema) => schema as unknown as JsonSchema
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

export const propertiesOf = (schema: Schema | undefined) => (schema && asJson(schema).properties) ?? {}

export function fieldsOf(schema: Schema, path: readonly string[] = [], within: readonly Schema[] = []): Field[] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, member]) => {
    const ownPath = [...path, name]
    const around = [...within, schema]
    if (asJson(member).readOnly) return []
    return asJson(member).properties
      ? fieldsOf(member, ownPath, around)
      : { path: ownPath, schema: member, within: around }
  })
}

/** All values of an enum or boolean field, each in one spelling. */
export function choicesOf({ schema }: Field): readonly unknown[] | undefined {
  const { type, enum: words } = asJson(schema)
  const spelledOnce = (word: unknown, at: number, all: readonly unknown[]) =>
    all.findIndex((other) => String(other).toLowerCase() === String(word).toLowerCase()) === at
  return type === 'boolean' ? [true, false] : words?.filter(spelledOnce)
}

/**
 * The longest suffix of a path that one of these schemas contains at any depth. The id of another resource may be
 * nested: `avatar_uuid` is shown as `avatar.uuid`.
 */
export function shownAs(path: readonly string[], schemas: readonly Schema[]): readonly string[] | undefined {
  const [, noun, id] = /^(.+)_(uuid|id)$/.exec(path.at(-1) as string) ?? []
  const ends = path.map((_, at) => path.slice(at))
  const ofThing = noun && id ? ends.map((end) => [...end.slice(0, -1), noun, id]) : []
  return [...ends, ...ofThing].find((end) => schemas.some((schema) => hasSomewhere(schema, end)))
}

const hasSomewhere = (schema: Schema, path: readonly string[]): boolean =>
  has(schema, path) || below(schema).some((member) => hasSomewhere(member, path))

function has(schema: Schema, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true
  const { anyOf = [] } = asJson(schema)
  const member = propertiesOf(schema)[name]
  return (member !== undefined && has(member, rest)) || anyOf.some((one) => has(one, [name, ...rest]))
}

function below(schema: Schema): readonly Schema[] {
  const { items, anyOf = [], additionalProperties: values } = asJson(schema)
  return [
    ...Object.values(propertiesOf(schema)),
    ...(items ? [items] : []),
    ...anyOf,
    ...(typeof values === 'object' ? [values] : []),
  ]
}

export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value)
}

/** Returns a copy without the value at this path. */
export function withoutValueAt(body: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isObject(body)) return body
  const { [name]: own, ...others } = body
  return rest.length === 0 || own === undefined ? others : { ...others, [name]: withoutValueAt(own, rest) }
}

/** Returns a copy with this value; missing objects on the path are generated. */
export function withValueAt(body: unknown, { path, within }: Field, value: unknown): unknown {
  const [name = '', ...rest] = path
  const [own, ...others] = within
  const object = isObject(body) ? body : least(own as Schema)
  if (rest.length === 0) return { ...object, [name]: value }
  return { ...object, [name]: withValueAt(object[name], { path: rest, within: others, schema: own as Schema }, value) }
}

/** Generates an object with only its required members. */
export const least = (schema: Schema): Json =>
  fc.sample(valid(onlyRequired(schema)), { numRuns: 1, seed: 1 })[0] as Json

function onlyRequired(schema: Schema): Schema {
  const { properties = {}, required = [] } = asJson(schema)
  if (!asJson(schema).properties) return schema
  const kept = Object.entries(properties).filter(([name]) => required.includes(name))
  const members = kept.map(([name, member]) => [name, onlyRequired(member)])
  return { ...schema, properties: Object.fromEntries(members) } as Schema
}

/** The members of a body that a schema has as well. */
export function fitted(body: unknown, schema: Schema): unknown {
  if (!isObject(body) || !asJson(schema).properties) return body
  const members = Object.entries(propertiesOf(schema)).filter(([name]) => body[name] !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, fitted(body[name], member)]))
}

/** The first text or number of this name in a value, at any depth. */
export function textNamed(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const own = ownText(value, name)
  if (own !== undefined) return own
  for (const member of Object.values(value)) {
    const found = textNamed(member, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Like `textNamed`, but only at the top level. */
export function ownText(value: unknown, name: string): string | undefined {
  const own = (Object(value) as Json)[name]
  return typeof own === 'string' || typeof own === 'number' ? String(own) : undefined
}

/** Where to look in an answer. */
interface Expected {
  /** Suffix of the field's path in the answer. */
  readonly end: readonly string[]
  readonly schema: Schema
  /** Names of the resource. In a list, only items with one of them are considered, if there are any. */
  readonly names: ReadonlySet<unknown>
}

/** Whether an answer contains the value sent. A cleared value is null, empty or missing. */
export function shows(answer: unknown, sent: unknown, { end, schema, names }: Expected): boolean {
  const values = valuesAt(answer, end, names)
  const words = new Set(wordsIn(schema))
  return (
    (isEmpty(sent) && (values.length === 0 || isEmpty(values[0]))) || values.some((value) => covers(value, sent, words))
  )
}

/** Values that leave a field to the service, which may return its default instead. */
export const isUnset = (value: unknown): boolean =>
  value === null || value === '' || /(^|_)(UN|NOT_?)SPECIFIED$/i.test(typeof value === 'string' ? value : '')

/** Values in an answer at all places that end in this path. */
export function valuesAt(answer: unknown, end: readonly string[], names: ReadonlySet<unknown>): readonly unknown[] {
  if (typeof answer !== 'object' || answer === null) return []
  const members = Object.values(answer)
  const own = members.filter((member) => isObject(member) && Object.values(member).some((value) => names.has(value)))
  const current = valueAt(answer, end) ?? (valueAt(answer, end.slice(0, -1)) === null ? null : undefined)
  const deeper = (Array.isArray(answer) && own.length > 0 ? own : members).flatMap((one) => valuesAt(one, end, names))
  return current === undefined ? deeper : [current, ...deeper]
}

const isEmpty = (value: unknown) =>
  value === null || (typeof value === 'object' && Object.keys(Object(value)).length === 0)

/** Whether the value read contains at least the value sent. */
function covers(read: unknown, sent: unknown, words: ReadonlySet<unknown>): boolean {
  if (Array.isArray(sent))
    return Array.isArray(read) && read.length === sent.length && sent.every((item, at) => covers(read[at], item, words))
  if (isObject(sent))
    return isObject(read) && Object.entries(sent).every(([name, value]) => covers(read[name], value, words))
  if (sent === null) return read === null || read === undefined
  if (isObject(read)) return 'id' in read && Object.values(read).includes(sent) // a list item with its id
  if (words.has(sent)) return String(read).toLowerCase() === String(sent).toLowerCase()
  return read === sent || isSameMoment(read, sent) || isSameAmount(read, sent)
}

/** Enum values with several spellings, which are compared without case. */
function wordsIn(schema: Schema): unknown[] {
  const { enum: values = [] } = asJson(schema)
  const isOneOfSeveral = (word: unknown) =>
    values.filter((value) => String(value).toLowerCase() === String(word).toLowerCase()).length > 1
  return [...values.filter(isOneOfSeveral), ...below(schema).flatMap(wordsIn)]
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d([T ]|$)/.test(value)
const timeOf = (moment: string) => Date.parse(/[T ].*(Z|[+-]\d\d:\d\d)$|^[^T ]+$/.test(moment) ? moment : `${moment}Z`)
const isSameMoment = (read: unknown, sent: unknown) => isMoment(read) && isMoment(sent) && timeOf(read) === timeOf(sent)

/** Amounts may gain digits of their currency, and are negative when they leave an account. */
const isSameAmount = (read: unknown, sent: unknown) =>
  isDecimal(read) && isDecimal(sent) && Math.abs(Number(read)) === Number(sent)
const isDecimal = (value: unknown): value is string => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)
