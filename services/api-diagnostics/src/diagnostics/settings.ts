import type { Schema } from '@icosa/contract'
import { Settings, type SettingsUpdate } from './contract.ts'

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Drops members that are not in the contract, and so have no effect. */
function withoutUnknown({ properties, items }: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) return items ? value.map((item) => withoutUnknown(items, item)) : value
  if (!properties || !isObject(value)) return value
  const entries = Object.entries(properties).filter(([name]) => value[name] !== undefined)
  return Object.fromEntries(entries.map(([name, schema]) => [name, withoutUnknown(schema, value[name])]))
}

/** Objects are merged, everything else is replaced. */
function merged(current: unknown, change: unknown): unknown {
  if (!isObject(current) || !isObject(change)) return change
  const changes = Object.entries(change).map(([name, value]) => [name, merged(current[name], value)])
  return { ...current, ...Object.fromEntries(changes) }
}

// At run time a schema is a JSON Schema.
const schema = Settings as Schema as JsonSchema

// Both preserve the validated shape, which TypeScript cannot infer.
export const settingsOf = (input: Settings) => withoutUnknown(schema, input) as Settings
export const updated = (current: Settings, change: SettingsUpdate) => settingsOf(merged(current, change) as Settings)
