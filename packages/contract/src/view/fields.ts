import type { Schema } from '../schema.ts'
import type { Column, ColumnKind } from './column.ts'

/** The subset of JSON Schema that views use. */
export interface Shape {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly string[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
  readonly anyOf?: readonly Shape[]
  readonly title?: string
}

export const shapeOf = (schema: Schema | null | undefined): Shape => (schema ?? {}) as unknown as Shape

/** The alternatives of a shape, without null. */
const variants = (shape: Shape): readonly Shape[] =>
  shape.anyOf ? shape.anyOf.flatMap(variants).filter(({ type }) => type !== 'null') : [shape]

/** Member of an object; of a union, the first variant's that has it. */
const member = (shape: Shape, name: string): Shape | undefined =>
  variants(shape)
    .map(({ properties, additionalProperties }) =>
      name === '*'
        ? Object.values(properties ?? {})[0]
        : (properties?.[name] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)),
    )
    .find((found) => found !== undefined)

/** Shape at a dotted path; empty for the whole. Undefined if the schema has no such field. */
export function shapeAt(shape: Shape, path: string): Shape | undefined {
  if (path === '') return shape
  const [first = '', ...rest] = path.split('.')
  const inner = member(shape, first)
  if (inner) return shapeAt(inner, rest.join('.'))
  return isOpen(shape) ? {} : undefined
}

/** Whether anything may be there: `{}`, or an object without named members. */
const isOpen = (shape: Shape) =>
  variants(shape).some(
    ({ type, properties, additionalProperties }) =>
      properties === undefined && (type === undefined || (type === 'object' && additionalProperties !== false)),
  )

export const isList = (shape: Shape | undefined) => shape !== undefined && variants(shape)[0]?.type === 'array'

export const itemOf = (shape: Shape | undefined): Shape => (shape && variants(shape)[0]?.items) || {}

export interface Field {
  readonly path: string
  readonly shape: Shape
}

/** Members of an item, and those of its `properties`, where some dialects keep all of their own. */
export function fieldsOf(item: Shape): Field[] {
  const own = membersOf(item).map(([name, shape]) => ({ path: name, shape }))
  const properties = member(item, 'properties')
  if (!properties) return own
  const inner = membersOf(properties).map(([name, shape]) => ({ path: `properties.${name}`, shape }))
  return [...own.filter(({ path }) => path !== 'properties'), ...inner]
}

export const membersOf = (shape: Shape): [string, Shape][] =>
  variants(shape).flatMap(({ properties = {} }) => Object.entries(properties))

export const last = (path: string) => path.slice(path.lastIndexOf('.') + 1)

const acronyms = new Set(['API', 'ARN', 'CVC2', 'IAM', 'IBAN', 'ID', 'IP', 'RSS', 'SKU', 'SQL', 'URI', 'URL', 'UUID'])

/** The words of an identifier as a phrase: `startIpAddress` and `start_ip_address` as 'Start IP address'. */
function phraseOf(identifier: string): string {
  const words = identifier
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .replace(/^@/, '')
    .split(' ')
    .map((word) => (acronyms.has(word.toUpperCase()) ? word.toUpperCase() : word.toLowerCase()))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** `lastModifiedTime` as 'Last modified time', `sku.name` as 'SKU', `maxSizeBytes` as 'Max size', whose value has a unit. */
export const labelOf = (path: string): string =>
  phraseOf(last(path.replace(/\.(name|value)$/i, ''))).replace(/(?<=.)( in)? bytes$/, '')

/** The label of a button that calls an operation, from its ID: `Databases_Pause` as 'Pause', `ListKeys` as 'Show keys'. */
export const actionLabelOf = (id: string): string => phraseOf(id.replace(/^.*_/, '').replace(/^List(?=[A-Z])/, 'Show'))

const isScalar = (shape: Shape) =>
  variants(shape).every(({ type }) => type !== undefined && ['string', 'number', 'integer', 'boolean'].includes(type))

const timeName =
  /(^date| (date|time|at|ms)|^(created|updated|registered|started|finished|starts|ends|time|at)|modified)$|^date /i
const stateName = /(^|[a-z])(state|status)$/i
const tagsName = /^(tags|labels)$/i
const linkName = /(url|uri|link)$/i

/** What a field holds, by its name and shape. */
export function kindOf(path: string, shape: Shape): ColumnKind {
  const name = last(path)
  const [first = {}] = variants(shape)
  const isNumber = first.type === 'number' || first.type === 'integer'
  if (tagsName.test(name) && !isScalar(shape)) return 'tags'
  if (stateName.test(name) && isScalar(shape)) return 'state'
  if (first.format === 'date-time' || (timeName.test(labelOf(path)) && isScalar(shape) && first.type !== 'boolean'))
    return 'time'
  if (isNumber) return /bytes$/i.test(name) ? 'bytes' : 'number'
  return linkName.test(name) && first.type === 'string' ? 'link' : 'text'
}

export function columnOf(written: string, item: Shape, state: string | undefined): Column {
  const [, kind, path = written] = /^(\w+):(.+)$/.exec(written) ?? []
  const derived = path === state ? 'state' : kindOf(path, shapeAt(item, path) ?? {})
  return { path, label: labelOf(path), kind: (kind as ColumnKind | undefined) ?? derived }
}

const nameNames = [/^(display_?)?name$/i, /^title$/i, /name$/i, /^(headline|subject|description)$/i, /^id$/i, /id$/i]

/** The field with an item's display name. */
export function nameField(fields: readonly Field[]): string | undefined {
  const texts = fields.filter(({ shape }) => variants(shape).some(({ type }) => type === 'string'))
  for (const pattern of nameNames) {
    const field = texts.find(({ path }) => pattern.test(last(path)) && !linkName.test(last(path)))
    if (field) return field.path
  }
  return fields[0]?.path
}

export const stateField = (fields: readonly Field[]): string | undefined => {
  const states = fields.filter(({ path, shape }) => kindOf(path, shape) === 'state')
  return (states.find(({ path }) => /^(state|status|provisioningState)$/i.test(last(path))) ?? states[0])?.path
}

const maxColumns = 6
const unhelpful = /(^|_)(id|arn|etag|key|type|url|uri|uuid|token|secret|password)$|(Id|Arn|Etag|Url|Uri|Link)$/i

/** Name, state, a few short values, tags, and the first time. */
export function defaultColumns(fields: readonly Field[], name: string, state: string | undefined): string[] {
  const rest = fields.filter(({ path }) => path !== name && path !== state)
  const of = (kind: ColumnKind) =>
    rest.filter(({ path, shape }) => kindOf(path, shape) === kind).map(({ path }) => path)
  const times = of('time')
  const time = times.find((path) => /creat|start|registered/i.test(path)) ?? times[0]
  const tags = of('tags')[0]
  const plain = rest.filter(
    ({ path, shape }) =>
      isScalar(shape) && ['text', 'number', 'bytes'].includes(kindOf(path, shape)) && !unhelpful.test(last(path)),
  )
  const room = maxColumns - 1 - [state, tags, time].filter(Boolean).length
  const middle = plain.slice(0, room).map(({ path }) => path)
  return [name, state, ...middle, tags, time].filter((path) => path !== undefined)
}
