import { hash, mix } from '../text/hash.ts'

/** Input of the tagger: for each token, the keys of its features and, if there is an encoder, its embedding. */
export interface TagInput {
  features: readonly Uint32Array[]
  /** Embeddings of equal size. */
  rows?: Float32Array | undefined
}

/** Tokens of a kind, from first to last inclusive. */
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

/** Kinds to which a feature is limited, by its key. */
export type Scopes = ReadonlyMap<number, ReadonlySet<number>>

export interface TaggerHeader {
  kinds: number
  keys: number
  weights: number
  changes: number
  dense?: { weights: number; size: number }
}

/** Weight of the embedding relative to the features. */
export const denseScale = 0.3

/** Hashes feature names to save memory. */
export const keyOf = (feature: string): number => mix(hash(feature))

/** Returns the columns of known features. */
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
