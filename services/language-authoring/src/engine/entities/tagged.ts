import { hash, mix } from '../text/hash.ts'

/** A sentence as the tagger sees it: for each token the keys of its features and, where there is an encoder, its numbers. */
export interface TagInput {
  features: readonly Uint32Array[]
  /** The same count of numbers for each token. */
  rows?: Float32Array | undefined
}

/** Tokens from first to last (inclusive) that belong to the kind with this number. */
export interface Span {
  kind: number
  first: number
  last: number
}

export interface TagExample extends TagInput {
  spans: readonly Span[]
}

export interface PredictedSpan extends Span {
  score: number
}

/** Which kinds a feature may speak for, by its key; those that are not here speak for all. */
export type Scopes = ReadonlyMap<number, ReadonlySet<number>>

export interface TaggerHeader {
  kinds: number
  keys: number
  weights: number
  changes: number
  dense?: { weights: number; size: number }
}

/** How much the numbers of a token weigh beside its features. */
export const denseScale = 0.3

/** Names are long and many: from here on only their keys are kept. */
export const keyOf = (feature: string): number => mix(hash(feature))

/** The features that are known, by their columns. */
export function numbers({ features }: TagInput, dictionary: ReadonlyMap<number, number>): Int32Array[] {
  return features.map((keys) => {
    const columns: number[] = []
    for (const key of keys) {
      const column = dictionary.get(key)
      if (column !== undefined) columns.push(column)
    }
    return Int32Array.from(columns)
  })
}
