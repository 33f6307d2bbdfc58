import type { PredictedEntity } from '../engine/results.ts'

interface Recognized {
  readonly value?: string
  readonly unit?: string
  readonly offset?: string
  readonly relativeTo?: string
  readonly values?: readonly Readonly<Record<string, string>>[]
}

const measures = new Set(['age', 'money', 'temperature', 'dimension'])

/** Value of an entity in API version 3. */
export function resolvedValue({ name, type, text, kind, source, resolution }: PredictedEntity): unknown {
  if (resolution === undefined) return text
  if (kind !== 'prebuilt' || source === 'external') return resolution
  const { value, unit, offset, relativeTo, values } = resolution as Recognized
  if (name === 'datetimeV2') return { type: type.split('.').at(-1), values: byTimex(values ?? []) }
  if (name === 'ordinalV2') return { offset: Number(offset), relativeTo }
  if (measures.has(name)) return { number: value === undefined ? null : numberOf(value), units: unit }
  if (name === 'number' || name === 'ordinal' || name === 'percentage') return numberOf(value ?? '')
  return value ?? text
}

/** Parses a number; returns the text if it is not one. */
function numberOf(value: string): number | string {
  const number = Number(value.replace(/%$/, ''))
  return Number.isNaN(number) || value === '' ? value : number
}

/** Groups the possible values of an ambiguous time by its expression. */
function byTimex(values: readonly Readonly<Record<string, string>>[]) {
  const grouped = Map.groupBy(values, ({ timex = '' }) => timex)
  return [...grouped].map(([timex, group]) => ({
    timex,
    resolution: group.map(({ timex: _, type: __, ...resolution }) => resolution),
  }))
}
