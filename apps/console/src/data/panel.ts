import { type Api, type Found, type JsonSchema, type Panel, type Parameter, resolved } from './catalogue.ts'
import type { Parts } from './request.ts'
import { at, type Item, textOf } from './values.ts'

type Strings = Readonly<Record<string, string>>
type PanelCall = NonNullable<Panel['call']>

/** What a panel can draw from. */
export interface Sources {
  readonly reply?: unknown
  readonly item: Item
  readonly also?: unknown
  readonly headers?: unknown
  /** Body of the request. */
  readonly sent?: unknown
}

export interface Row {
  readonly [name: string]: unknown
}

const asRow = (value: unknown): Row => (typeof value === 'object' && value ? (value as Row) : { value })

/** Members of an object as rows; of lists in it, every element. */
const membersAsRows = (value: object): Row[] =>
  Object.entries(value).flatMap(([name, member]) =>
    (Array.isArray(member) ? member : [member]).map((one) => ({ name, ...asRow(one) })),
  )

/** Rows at a path, which may lead through lists. */
function rowsAt(value: unknown, path: string): Row[] {
  if (Array.isArray(value)) return value.flatMap((one) => (path === '' ? [asRow(one)] : rowsAt(one, path)))
  if (typeof value !== 'object' || value === null) return []
  if (path === '') return membersAsRows(value)
  const [first = '', ...rest] = path.split('.')
  const inner = at(value, first)
  // The only member of a wrapper is a row itself.
  if (first === '*' && rest.length === 0 && !Array.isArray(inner)) return [asRow(inner)]
  return rowsAt(inner, rest.join('.'))
}

/** Reads what a panel shows by the names that its kind has for it. */
export interface Reader {
  readonly panel: Panel
  value(name: string): unknown
  rows(name: string): Row[]
  /** A field of a row. */
  of(row: Row, name: string): unknown
  /** A list in a row. */
  rowsOf(row: Row, name: string): Row[]
}

export function readerOf(panel: Panel, sources: Sources): Reader {
  const located = (name: string): [unknown, string] | undefined => {
    const written = panel.show[name]
    if (written === undefined) return undefined
    const [, source, path = written] = /^(item|also|headers|sent):(.*)$/.exec(written) ?? []
    return [sources[(source as keyof Sources | undefined) ?? (panel.call ? 'reply' : 'item')], path]
  }
  const inRow = (name: string) => panel.show[name]
  return {
    panel,
    value(name) {
      const place = located(name)
      return place && at(...place)
    },
    rows(name) {
      const place = located(name)
      return place ? rowsAt(...place) : []
    },
    of(row, name) {
      const path = inRow(name)
      return path === undefined ? undefined : at(row, path)
    },
    rowsOf(row, name) {
      const path = inRow(name)
      return path === undefined ? [] : rowsAt(row, path)
    },
  }
}

const paramsIn = ({ operation }: Found, where: string) =>
  (operation.parameters as Parameter[]).filter((one) => one.in === where)

/** Sets a value at a dotted path. */
function withValue(target: unknown, [first = '', ...rest]: readonly string[], value: unknown): Row {
  const whole = asRow(target ?? {})
  return { ...whole, [first]: rest.length === 0 ? value : withValue(whole[first], rest, value) }
}

/** Parts of the key that are members of the body: some services have one path for all items. */
function keyInBody({ operation }: Found, api: Api, key: Strings, inPath: readonly string[]): Strings {
  const members = resolved((operation.body?.schema ?? {}) as JsonSchema, api).properties ?? {}
  return Object.fromEntries(Object.entries(key).filter(([name]) => name in members && !inPath.includes(name)))
}

/** Whether a body, if there is one, has the members that it must have. */
function hasAll({ operation, api }: Found, body: unknown): boolean {
  if (!operation.body) return true
  const { properties, required = [] } = resolved(operation.body.schema as JsonSchema, api)
  return properties !== undefined && required.every((name) => name in asRow(body))
}

export interface PreparedCall {
  readonly parts: Parts
  /** Whether the request needs no further input. */
  readonly isComplete: boolean
}

/** A request of a panel: parameters from the item and its key, and those that the panel sets. */
export function prepare(found: Found, call: PanelCall, known: Strings, key: Strings, item: Row): PreparedCall {
  const given = Object.entries(call.fields ?? {}).map(([name, path]) => [name, at(item, path)] as const)
  const inPath = paramsIn(found, 'path').map(({ name }) => name)
  const inQuery = paramsIn(found, 'query')
  const fields = Object.fromEntries(given)
  // Of an ID that is a path, the last part is the name.
  const lastPart = (value: unknown) => textOf(value).split('/').at(-1) ?? ''
  const params = Object.fromEntries(
    inPath.flatMap((name) => {
      const value = name in fields ? lastPart(fields[name]) : (key[name] ?? known[name])
      return value ? [[name, value]] : []
    }),
  )
  const queried = given.filter(([name]) => inQuery.some((one) => one.name === name))
  const scoped = inQuery.filter(({ name, required }) => required && known[name]).map(({ name }) => [name, known[name]])
  const query = { ...call.query, ...Object.fromEntries(scoped), ...Object.fromEntries(queried) }
  const members = given.filter(([name]) => !inPath.includes(name) && !inQuery.some((one) => one.name === name))
  const start: unknown = { ...asRow(call.body ?? {}), ...keyInBody(found, found.api, key, inPath) }
  const body = members.reduce((whole, [name, value]) => withValue(whole, name.split('.'), value), start)
  const hasBody = found.operation.body !== undefined && found.operation.method !== 'GET'
  const missing = inQuery.filter(
    ({ name, required, schema }) => required && schema.default === undefined && !query[name],
  )
  return {
    parts: { params, query, ...(hasBody && Object.keys(asRow(body)).length > 0 && { body }) },
    isComplete:
      inPath.every((name) => name in params) && missing.length === 0 && call.ask === undefined && hasAll(found, body),
  }
}
