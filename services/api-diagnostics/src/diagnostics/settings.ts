import type { Schema } from '@icosa/contract'
import { Settings, type SettingsUpdate } from './contract.ts'

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only members that the contract names: what would have no meaning here is not kept and shown as if it had. */
function onlyKnown({ properties, items }: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => onlyKnown(items, item)) : value
  if (!properties || !isObject(value)) return value
  const known = Object.entries(properties).filter(([name]) => value[name] !== undefined)
  return Object.fromEntries(known.map(([name, schema]) => [name, onlyKnown(schema, value[name])]))
}

/** Objects are merged, everything else is replaced. */
function merged(current: unknown, change: unknown): unknown {
  if (!isObject(current) || !isObject(change)) return change
  const changes = Object.entries(change).map(([name, value]) => [name, merged(current[name], value)])
  return { ...current, ...Object.fromEntries(changes) }
}

// At run time a schema is the JSON Schema that its type stands for.
const schema = Settings as Schema as JsonSchema

// Both keep the shape that the validator has checked; TypeScript cannot follow a walk along a schema.
export const settingsOf = (sent: Settings) => onlyKnown(schema, sent) as Settings
export const updated = (current: Settings, change: SettingsUpdate) => settingsOf(merged(current, change) as Settings)
