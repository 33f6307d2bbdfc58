import type { Kernel } from '../kernel/kernel.ts'

/** A matrix (k x n) quantized to 16 bits, in the kernel's layout, with a scale for each column. */
export interface Matrix {
  readonly at: number
  readonly k: number
  readonly n: number
  readonly scales: Float32Array
  readonly bias: Float32Array
}

/** Largest quantized value of a row. */
const maxValue = 4095
/** Limit for the sum of a column, so that no sum of products overflows 32 bits. */
const maxColumnSum = Math.floor((2 ** 31 - 1) / maxValue)

/**
 * Multiplies rows of floats with fixed matrices, both quantized to about 12 bits: twice as fast as with floats, precise enough for
 * training, and with the same sums on every machine.
 */
export class Products {
  readonly #kernel: Kernel
  readonly #maxRows: number
  readonly #rowsAt: number
  readonly #sumsAt: number

  /** `maxColumns` limits both dimensions of matrices. */
  constructor(kernel: Kernel, maxRows: number, maxColumns: number) {
    this.#kernel = kernel
    this.#maxRows = evened(maxRows)
    this.#rowsAt = kernel.allocate((this.#maxRows * maxColumns) / 2)
    this.#sumsAt = kernel.allocate(this.#maxRows * maxColumns)
  }

  matrix(values: Float32Array, k: number, n: number, bias: Float32Array = new Float32Array(n)): Matrix {
    const at = this.#kernel.allocate((k * n) / 2)
    const packed = new Int16Array(this.#kernel.memory.buffer, at, k * n)
    const scales = new Float32Array(n)
    for (let column = 0; column < n; column++) {
      let max = 1e-30
      let sum = 1e-30
      for (let row = 0; row < k; row++) {
        const size = Math.abs(values[row * n + column] as number)
        max = Math.max(max, size)
        sum += size
      }
      // Rounding adds at most a half to each number.
      const scale = Math.min(32_767 / max, (maxColumnSum - k) / sum)
      scales[column] = 1 / scale / maxValue
      const panel = column - (column % 16)
      for (let row = 0; row < k; row++)
        packed[panel * k + (row >> 1) * 32 + (column - panel) * 2 + (row & 1)] = Math.round(
          (values[row * n + column] as number) * scale,
        )
    }
    return { at, k, n, scales, bias }
  }

  /** into (rows x n) = from (rows x k) * matrix + bias, or += if `isAdded`. */
  multiply(from: number, matrix: Matrix, into: number, rows: number, isAdded = false): void {
    const { at, k, n, scales, bias } = matrix
    const count = evened(rows)
    const sizes = this.#quantize(from, rows, k)
    const sums = new Int32Array(this.#kernel.memory.buffer, this.#sumsAt, count * n)
    sums.fill(0)
    this.#kernel.loops.gemm(this.#rowsAt, at, this.#sumsAt, count, k / 2, n)
    const target = this.#kernel.floats(into, rows * n)
    for (let row = 0; row < rows; row++) {
      const size = sizes[row] as number
      const begin = row * n
      if (isAdded)
        for (let i = 0; i < n; i++)
          target[begin + i] =
            (target[begin + i] as number) +
            ((sums[begin + i] as number) * (size * (scales[i] as number)) + (bias[i] as number))
      else
        for (let i = 0; i < n; i++)
          target[begin + i] = (sums[begin + i] as number) * (size * (scales[i] as number)) + (bias[i] as number)
    }
  }

  /** Quantizes rows; returns the largest value of each. */
  #quantize(from: number, rows: number, k: number): Float64Array {
    const source = this.#kernel.floats(from, rows * k)
    const short = new Int16Array(this.#kernel.memory.buffer, this.#rowsAt, evened(rows) * k)
    const sizes = new Float64Array(rows)
    for (let row = 0; row < rows; row++) {
      const begin = row * k
      let max = 0
      for (let i = begin; i < begin + k; i++) {
        const size = Math.abs(source[i] as number)
        if (size > max) max = size
      }
      sizes[row] = max
      const scale = max > 0 ? maxValue / max : 0
      for (let i = begin; i < begin + k; i++)
        short[i] = (((source[i] as number) * scale + (maxValue + 1.5)) | 0) - (maxValue + 1)
    }
    short.fill(0, rows * k)
    return sizes
  }
}

const evened = (count: number): number => count + (count % 2)
