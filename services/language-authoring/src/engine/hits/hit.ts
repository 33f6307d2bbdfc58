import type { EntityKind } from '../results.ts'

/** A place in a text where something other than a learnt model applies. Ends are exclusive. */
export interface Hit {
  /** The entity's or the phrase list's name. */
  model: string
  kind: EntityKind | 'phrases'
  /** The subtype of a prebuilt. */
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

/** What a hit costs all that look at it afterwards: it bounds how many a question may have. */
export const stepsOfHit = 500
