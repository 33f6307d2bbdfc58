import { Kernel, Terms } from '../kernel/kernel.ts'
import { type Piece, Pieces } from './pieces.ts'
import { type Matrix, Products } from './products.ts'
import { readWeights, type Weights } from './weights.ts'

/** Dimensions of the embedding of a sentence or a piece. */
export const width = 512
const maxPieces = 128
const heads = 4

interface Layer {
  input: number
  attentionScale: Float32Array
  attentionBias: Float32Array
  qkv: Matrix
  output: Matrix
  innerScale: Float32Array
  innerBias: Float32Array
  up: Matrix
  down: Matrix
}

export interface Encoded {
  /** Unit vector. */
  sentence: Float32Array
  pieces: Piece[]
  /** Contextual embedding of each piece, in rows of `width` numbers. */
  rows: Float32Array
}

/** A two-layer transformer for embeddings of English sentences. */
export class Encoder {
  readonly #kernel = new Kernel()
  readonly #products = new Products(this.#kernel, maxPieces, 3 * width)
  readonly #terms = new Terms(this.#kernel, maxPieces)
  readonly #pieces: Pieces
  readonly #embeddings: Float32Array
  readonly #frequencies: Float32Array
  readonly #layers: Layer[]
  readonly #residual: Matrix
  readonly #last: Matrix
  readonly #buffers = { x: 0, normal: 0, qkv: 0, mixed: 0, up: 0 }

  constructor(weights: Weights = readWeights()) {
    const [kernel, products] = [this.#kernel, this.#products]
    this.#pieces = new Pieces(weights.vocabulary)
    this.#embeddings = weights.take('Embeddings_en')
    this.#frequencies = weights.take('TimingSignal/ExpandDims_1')
    this.#layers = [0, 1].map((index): Layer => {
      const input = index === 0 ? 256 : width
      const take = (...parts: string[]) => weights.take(`Layer_${index}/`, ...parts)
      const matrix = (name: string, k: number, n: number, kernelName = 'kernel') =>
        products.matrix(take(`${name}${kernelName}`), k, n, take(`${name}bias`))
      const outer = `Layer_${index}/TransformerLayer/layer_prepostprocess`
      return {
        input,
        attentionScale: weights.take(outer, 'norm_scale'),
        attentionBias: weights.take(outer, 'norm_bias'),
        qkv: matrix('qkv_transform_single/', input, 3 * input),
        output: matrix('output_transform_single/', input, width),
        innerScale: take('FFN/layer_prepostprocess/layer_norm/layer_norm_scale'),
        innerBias: take('FFN/layer_prepostprocess/layer_norm/layer_norm_bias'),
        up: matrix('conv1/', width, 3 * width, 'Tensordot/Reshape_1'),
        down: matrix('conv2/', 3 * width, width, 'Tensordot/Reshape_1'),
      }
    })
    this.#residual = products.matrix(weights.take('dense/kernel'), 256, width, weights.take('dense/bias'))
    this.#last = products.matrix(weights.take('tanh_layer_0/weights'), width, width, weights.take('tanh_layer_0/bias'))
    this.#buffers.x = kernel.allocate(maxPieces * width)
    this.#buffers.normal = kernel.allocate(maxPieces * width)
    this.#buffers.qkv = kernel.allocate(maxPieces * width * 3)
    this.#buffers.mixed = kernel.allocate(maxPieces * width)
    this.#buffers.up = kernel.allocate(maxPieces * width * 3)
  }

  encode(text: string): Encoded {
    const pieces = this.#pieces.cut(text).slice(0, maxPieces)
    const count = pieces.length
    if (count === 0) return { sentence: new Float32Array(width), pieces, rows: new Float32Array() }
    this.#embed(pieces)
    for (const layer of this.#layers) this.#attend(layer, count)
    const rows = this.#floats(this.#buffers.x, count * width).slice()
    return { sentence: this.#pool(rows, count), pieces, rows }
  }

  #floats(at: number, length: number): Float32Array {
    return this.#kernel.floats(at, length)
  }

  #embed(pieces: readonly Piece[]): void {
    const half = this.#frequencies.length
    const x = this.#floats(this.#buffers.x, pieces.length * 2 * half)
    x.fill(0)
    pieces.forEach(({ id }, position) => {
      const row = position * 2 * half
      for (let i = 0; i < 2 * half; i++) x[row + i] = 2 * (this.#embeddings[id * 2 * half + i] as number)
      for (let i = 0; i < half; i++) {
        const angle = Math.fround(position * (this.#frequencies[i] as number))
        x[row + i] = (x[row + i] as number) + Math.sin(angle)
        x[row + half + i] = (x[row + half + i] as number) + Math.cos(angle)
      }
    })
  }

  #attend(layer: Layer, count: number): void {
    const products = this.#products
    const { x, normal, qkv, mixed, up } = this.#buffers
    const { input } = layer
    this.#normalize(x, normal, count, input, layer.attentionScale, layer.attentionBias)
    products.multiply(normal, layer.qkv, qkv, count)
    this.#mix(count, input)
    if (input !== width) {
      // The residual connection of the first layer changes its width.
      this.#floats(normal, count * input).set(this.#floats(x, count * input))
      products.multiply(normal, this.#residual, x, count)
    }
    products.multiply(mixed, layer.output, x, count, true)
    this.#normalize(x, normal, count, width, layer.innerScale, layer.innerBias)
    products.multiply(normal, layer.up, up, count)
    const inner = this.#floats(up, count * 3 * width)
    for (let i = 0; i < inner.length; i++) if ((inner[i] as number) < 0) inner[i] = 0
    products.multiply(up, layer.down, x, count, true)
  }

  /** Multi-head attention. */
  #mix(count: number, input: number): void {
    const { dot } = this.#kernel.loops
    const { qkv, mixed } = this.#buffers
    this.#floats(mixed, count * input).fill(0)
    const size = input / heads
    const scale = size ** -0.5
    const scores = new Float64Array(count)
    for (let head = 0; head < heads; head++)
      for (let i = 0; i < count; i++) {
        const query = qkv + (i * 3 * input + head * size) * 4
        let max = -Infinity
        for (let j = 0; j < count; j++) {
          const score = dot(query, qkv + (j * 3 * input + input + head * size) * 4, size * 4) * scale
          scores[j] = score
          max = Math.max(max, score)
        }
        let sum = 0
        for (let j = 0; j < count; j++) {
          const weight = Math.exp((scores[j] as number) - max)
          scores[j] = weight
          sum += weight
        }
        this.#terms.clear()
        for (let j = 0; j < count; j++)
          this.#terms.add(qkv + (j * 3 * input + 2 * input + head * size) * 4, (scores[j] as number) / sum)
        this.#terms.gather(mixed + (i * input + head * size) * 4, size * 4)
      }
  }

  #pool(rows: Float32Array, count: number): Float32Array {
    const { mixed, normal } = this.#buffers
    const mean = this.#floats(mixed, width)
    mean.fill(0)
    for (let i = 0; i < rows.length; i++) mean[i % width] = (mean[i % width] as number) + (rows[i] as number) / count
    this.#products.multiply(mixed, this.#last, normal, 1)
    const sentence = this.#floats(normal, width).slice()
    let squares = 0
    for (let i = 0; i < width; i++) {
      const value = Math.tanh(sentence[i] as number)
      sentence[i] = value
      squares += value * value
    }
    const scale = 1 / Math.sqrt(Math.max(squares, 1e-12))
    for (let i = 0; i < width; i++) sentence[i] = (sentence[i] as number) * scale
    return sentence
  }

  #normalize(from: number, to: number, rows: number, size: number, scale: Float32Array, bias: Float32Array): void {
    const source = this.#floats(from, rows * size)
    const target = this.#floats(to, rows * size)
    for (let row = 0; row < rows; row++) {
      const at = row * size
      let sum = 0
      for (let i = 0; i < size; i++) sum += source[at + i] as number
      const mean = sum / size
      let squares = 0
      for (let i = 0; i < size; i++) squares += ((source[at + i] as number) - mean) ** 2
      const factor = 1 / Math.sqrt(squares / size + 1e-6)
      for (let i = 0; i < size; i++)
        target[at + i] = ((source[at + i] as number) - mean) * factor * (scale[i] as number) + (bias[i] as number)
    }
  }
}

let shared: Encoder | undefined

/** Shared by the process: its weights take 28 MB. */
export function encoder(): Encoder {
  shared ??= new Encoder()
  return shared
}
