import type { Schema } from '@icosa/contract'
import { isNamespaced } from './contract.ts'

/** JSON Schema as written in contracts. */
interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

type Walk = (value: unknown) => unknown

/**
 * Replaces the namespace in bodies: only in texts marked as `namespaced` by the contract, so that callers' own texts
 * are returned unchanged. Compiled once per schema.
 */
export function respelling(namespace: string, other: string): (schema: Schema, body: unknown) => unknown {
  const text = respellText(namespace, other)
  const walks = new WeakMap<object, { readonly walk: Walk | undefined }>()
  return (schema, body) => {
    let entry = walks.get(schema)
    if (!entry) {
      entry = { walk: walkOf(schema as JsonSchema, text) }
      walks.set(schema, entry)
    }
    return entry.walk ? entry.walk(body) : body
  }
}

/**
 * Matches the namespace by its position in an ID (`/subscriptions/s/resourceGroups/g/providers/Vendor.Sql/servers/s`),
 * a type or an action (`Vendor.Sql/servers`): a group or a server may have the same name.
 */
function respellText(namespace: string, other: string): (text: string) => string {
  const scope = '(?:/subscriptions/[^/]+(?:/resourceGroups/[^/]+)?)?/providers/'
  const pattern = new RegExp(`^(${scope})?${namespace.replaceAll('.', '\\.')}(?=/|$)`)
  return (text) => text.replace(pattern, (_, prefix: string = '') => prefix + other)
}

/** Undefined if nothing below is marked. */
function walkOf(schema: JsonSchema, text: (text: string) => string): Walk | undefined {
  if (isNamespaced(schema)) return (value) => (typeof value === 'string' ? text(value) : value)
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema
  const walks = [
    ofProperties(
      new Map(Object.entries(properties).flatMap(([name, property]) => ofName(name, walkOf(property, text)))),
    ),
    ofValues(additionalProperties && walkOf(additionalProperties, text)),
    ofItems(items && walkOf(items, text)),
    ...anyOf.map((variant) => walkOf(variant, text)),
  ].filter((walk) => walk !== undefined)
  return walks.length === 0 ? undefined : (value) => walks.reduce((walked, walk) => walk(walked), value)
}

const ofName = (name: string, walk: Walk | undefined): [string, Walk][] => (walk ? [[name, walk]] : [])

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function ofProperties(walks: ReadonlyMap<string, Walk>): Walk | undefined {
  if (walks.size === 0) return undefined
  return (value) => (isObject(value) ? mapped(value, (name, member) => walks.get(name)?.(member) ?? member) : value)
}

function ofValues(walk: Walk | undefined): Walk | undefined {
  return walk && ((value) => (isObject(value) ? mapped(value, (_, member) => walk(member)) : value))
}

function ofItems(walk: Walk | undefined): Walk | undefined {
  return walk && ((value) => (Array.isArray(value) ? value.map(walk) : value))
}

const mapped = (value: object, change: (name: string, member: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([name, member]) => [name, change(name, member)]))
