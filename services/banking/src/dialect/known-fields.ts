import { bodyKind, type Schema } from '@icosa/contract'
import { type Handler, Prepared, type Resource } from '@icosa/kernel'

interface Shape {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

/** What of a value its schema names. */
export function pruned(schema: Schema, value: unknown): unknown {
  const { properties, items } = schema as Shape
  if (Array.isArray(value)) return items ? value.map((item) => pruned(items, item)) : value
  if (!properties || typeof value !== 'object' || value === null) return value
  const given = value as Readonly<Record<string, unknown>>
  const kept = Object.entries(properties).filter(([name]) => given[name] !== undefined)
  return Object.fromEntries(kept.map(([name, member]) => [name, pruned(member, given[name])]))
}

/**
 * Handlers get what their contract names and nothing else. Clients send more than that, and much of what they send is kept
 * and shown again: a balance that somebody writes into a body must not become one that is read.
 */
export function withKnownFields<Held>(resource: Resource<Held>): Resource<Held> {
  const handlers = Object.entries(resource.handlers).map(([name, handler]) => {
    const body = resource.contract[name]?.body
    if (!body || bodyKind(body) || typeof handler !== 'function' || handler instanceof Prepared) return [name, handler]
    const known: Handler<Held> = (input, context) => {
      const given = input as { readonly body: unknown }
      return handler({ ...given, body: pruned(body, given.body) }, context)
    }
    return [name, known]
  })
  return { contract: resource.contract, handlers: Object.fromEntries(handlers) }
}
