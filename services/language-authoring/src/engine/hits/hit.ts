import type { EntityKind } from '../results.ts'

/** A match of a list, expression, prebuilt entity or phrase list in a text. Ends are exclusive. */
export interface Hit {
  /** Name of the entity or phrase list. */
  model: string
  kind: EntityKind | 'phrases'
  /** Subtype of a prebuilt. */
  type: string
  start: number
  end: number
  resolution?: unknown
  source: 'model' | 'external' | 'dynamic-list'
}

export const overlap = (a: { start: number; end: number }, b: { start: number; end: number }): boolean =>
  a.start < b.end && b.start < a.end

export const within = (inner: { start: number; end: number }, outer: { start: number; end: number }): boolean =>
  outer.start <= inner.start && inner.end <= outer.end

/** Cost of a hit in later steps: it limits how many a query may have. */
export const stepsOfHit = 500
