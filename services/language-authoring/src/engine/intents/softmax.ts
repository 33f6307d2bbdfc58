import { Kernel, lanes, Terms } from '../kernel/kernel.ts'
import type { Pace } from '../pace.ts'
import { Random } from '../text/random.ts'
import type { Rows } from './sparse.ts'

/** Multinomial logistic regression, trained by AdaGrad: a row of weights per feature, one for each class. */
export interface SoftmaxOptions {
  epochs: number
  rate: number
  /** Classes to which a feature is limited: its other weights stay 0. */
  allowed?: ReadonlyMap<number, ReadonlySet<number>>
}

export interface Softmax {
  classes: number
  weights: Float32Array
  bias: Float32Array
}

export async function trainSoftmax(
  rows: Rows,
  labels: Int32Array,
  classes: number,
  features: number,
  options: SoftmaxOptions,
  pace: Pace,
): Promise<Softmax> {
  const stride = Math.ceil(classes / lanes) * lanes
  const bytes = stride * 4
  const kernel = new Kernel()
  const { dot } = kernel.loops
  const weightsAt = kernel.allocate(features * stride)
  const logitsAt = kernel.allocate(stride)
  const terms = new Terms(kernel, maxLengthOf(rows))
  const weights = kernel.floats(weightsAt, features * stride)
  const logits = kernel.floats(logitsAt, stride)
  const squares = new Float32Array(features)
  const bias = new Float32Array(classes)
  const order = Int32Array.from(labels.keys())
  const random = new Random(1)
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    random.shuffle(order)
    const rate = options.rate * (1 - epoch / options.epochs)
    for (let i = 0; i < order.length; i++) {
      if (i % 64 === 0) await pace.breathe()
      const row = order[i] as number
      const from = rows.starts[row] as number
      const to = rows.starts[row + 1] as number
      logits.set(bias)
      terms.clear()
      for (let k = from; k < to; k++)
        terms.add(weightsAt + (rows.columns[k] as number) * bytes, rows.values[k] as number)
      terms.gather(logitsAt, bytes)
      softmax(logits, classes)
      const label = labels[row] as number
      logits[label] = (logits[label] as number) - 1
      const norm = dot(logitsAt, logitsAt, bytes)
      if (norm < 1e-8) continue
      for (let c = 0; c < classes; c++) bias[c] = (bias[c] as number) - 0.02 * rate * (logits[c] as number)
      terms.clear()
      for (let k = from; k < to; k++) {
        const column = rows.columns[k] as number
        const value = rows.values[k] as number
        const square = (squares[column] as number) + norm * value * value
        squares[column] = square
        const size = rate / Math.sqrt(square + 1e-6)
        terms.addStep(weightsAt + column * bytes, -size * value, 1)
      }
      terms.scatter(logitsAt, bytes)
    }
    for (const [column, some] of options.allowed ?? [])
      for (let c = 0; c < classes; c++) if (!some.has(c)) weights[column * stride + c] = 0
  }
  const packed = new Float32Array(features * classes)
  for (let f = 0; f < features; f++) packed.set(weights.subarray(f * stride, f * stride + classes), f * classes)
  return { classes, weights: packed, bias }
}

function maxLengthOf({ starts }: Rows): number {
  let max = 0
  for (let i = 1; i < starts.length; i++) max = Math.max(max, (starts[i] as number) - (starts[i - 1] as number))
  return max
}

/** In place, over the first `count` values; the others become 0. */
export function softmax(values: Float32Array, count = values.length): void {
  let max = -Infinity
  for (let i = 0; i < count; i++) max = Math.max(max, values[i] as number)
  let sum = 0
  for (let i = 0; i < count; i++) {
    const e = Math.exp((values[i] as number) - max)
    values[i] = e
    sum += e
  }
  for (let i = 0; i < count; i++) values[i] = (values[i] as number) / sum
  values.fill(0, count)
}
