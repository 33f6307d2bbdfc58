import type { Unpacked } from '../container.ts'
import { Chain } from './chain.ts'
import { stateOf } from './labels.ts'
import { denseScale, numbers, type PredictedSpan, type TaggerHeader, type TagInput } from './tagged.ts'

export class Tagger {
  readonly #chain: Chain
  readonly #columns = new Map<number, number>()
  readonly #weights: Float32Array
  readonly #dense: { weights: Float32Array; size: number } | undefined

  constructor(header: TaggerHeader, model: Unpacked<unknown>) {
    this.#chain = new Chain(header.kinds, model.f32(header.changes))
    for (const [column, key] of model.u32(header.keys).entries()) this.#columns.set(key, column)
    this.#weights = model.f32(header.weights)
    this.#dense = header.dense && { weights: model.f32(header.dense.weights), size: header.dense.size }
  }

  /** Size of token embeddings; 0 if none are used. */
  get rowSize(): number {
    return this.#dense?.size ?? 0
  }

  /** Returns the best spans; the score of each is that of its least probable token. */
  tag(input: TagInput): PredictedSpan[] {
    const { labels } = this.#chain
    const count = input.features.length
    const scores = new Float64Array(count * labels)
    numbers(input, this.#columns).forEach((columns, t) => {
      for (const column of columns)
        for (let l = 0; l < labels; l++)
          scores[t * labels + l] = (scores[t * labels + l] as number) + (this.#weights[column * labels + l] as number)
      if (!this.#dense || !input.rows) return
      const { weights, size } = this.#dense
      for (let d = 0; d < size; d++) {
        const value = (input.rows[t * size + d] as number) * denseScale
        for (let l = 0; l < labels; l++)
          scores[t * labels + l] = (scores[t * labels + l] as number) + (weights[d * labels + l] as number) * value
      }
    })
    const path = this.#chain.best(scores, count)
    const marginals = new Float64Array(count * labels)
    this.#chain.marginals(scores, count, marginals)
    const spans: PredictedSpan[] = []
    path.forEach((label, t) => {
      const probability = marginals[t * labels + label] as number
      const last = spans.at(-1)
      if (label === 0) return
      if (label % 2 === 1) spans.push({ kind: stateOf(label) - 1, first: t, last: t, score: probability })
      else if (last) {
        last.last = t
        last.score = Math.min(last.score, probability)
      }
    })
    return spans
  }
}
