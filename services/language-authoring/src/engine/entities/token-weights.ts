import { Kernel, lanes, Terms } from '../kernel/kernel.ts'
import { denseScale } from './tagged.ts'

/** Weights in training, by AdaGrad: one row per feature and per dimension of the embedding, one weight per label. */
export class TokenWeights {
  /** Scores of the labels, then their errors. */
  readonly scratch: Float32Array
  readonly #labels: number
  readonly #stride: number
  readonly #features: number
  readonly #width: number
  readonly #kernel = new Kernel()
  readonly #at: number
  readonly #scratchAt: number
  readonly #terms: Terms
  readonly #weights: Float32Array
  readonly #squares: Float32Array

  constructor(labels: number, features: number, width: number, maxFeaturesPerToken: number) {
    this.#labels = labels
    this.#features = features
    this.#width = width
    this.#stride = Math.ceil(labels / lanes) * lanes
    const rows = features + width
    this.#at = this.#kernel.allocate(rows * this.#stride)
    this.#scratchAt = this.#kernel.allocate(this.#stride)
    this.#terms = new Terms(this.#kernel, maxFeaturesPerToken + width)
    this.#weights = this.#kernel.floats(this.#at, rows * this.#stride)
    this.scratch = this.#kernel.floats(this.#scratchAt, this.#stride)
    this.#squares = new Float32Array(rows)
  }

  /** Scores the labels of a token. */
  score(features: Int32Array, rows: Float32Array | undefined, token: number): void {
    const width = this.#width
    const bytes = this.#stride * 4
    const terms = this.#terms
    this.scratch.fill(0)
    terms.clear()
    for (let i = 0; i < features.length; i++) terms.add(this.#at + (features[i] as number) * bytes, 1)
    if (rows) {
      const denseAt = this.#at + this.#features * bytes
      for (let d = 0; d < width; d++) terms.add(denseAt + d * bytes, (rows[token * width + d] as number) * denseScale)
    }
    terms.gather(this.#scratchAt, bytes)
  }

  /** Squared norm of the error. */
  squaredError(): number {
    return this.#kernel.loops.dot(this.#scratchAt, this.#scratchAt, this.#stride * 4)
  }

  /** Gradient step. */
  learn(
    features: Int32Array,
    rows: Float32Array | undefined,
    token: number,
    { squaredError, rate, denseRate, decay }: { squaredError: number; rate: number; denseRate: number; decay: number },
  ): void {
    const width = this.#width
    const bytes = this.#stride * 4
    const [terms, squares] = [this.#terms, this.#squares]
    terms.clear()
    for (let i = 0; i < features.length; i++) {
      const feature = features[i] as number
      const square = (squares[feature] as number) + squaredError
      squares[feature] = square
      const size = rate / Math.sqrt(square + 1e-4)
      terms.addStep(this.#at + feature * bytes, -size, 1 - size * decay)
    }
    if (rows)
      for (let d = 0; d < width; d++) {
        const value = (rows[token * width + d] as number) * denseScale
        const feature = this.#features + d
        const square = (squares[feature] as number) + squaredError * value * value
        squares[feature] = square
        const size = denseRate / Math.sqrt(square + 1e-4)
        terms.addStep(this.#at + feature * bytes, -size * value, 1 - size * decay)
      }
    terms.scatter(this.#scratchAt, bytes)
  }

  silence(feature: number, label: number): void {
    this.#weights[feature * this.#stride + label] = 0
  }

  /** Weights of the features, or of the embedding, without padding. */
  packed(part: 'features' | 'numbers'): Float32Array {
    const [labels, stride] = [this.#labels, this.#stride]
    const [from, count] = part === 'features' ? [0, this.#features] : [this.#features, this.#width]
    const packed = new Float32Array(count * labels)
    for (let f = 0; f < count; f++)
      packed.set(this.#weights.subarray((from + f) * stride, (from + f) * stride + labels), f * labels)
    return packed
  }
}
