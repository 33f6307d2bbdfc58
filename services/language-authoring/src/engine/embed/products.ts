import type { Kernel } from '../kernel/kernel.ts'

/** A matrix (k x n) in whole numbers of 16 bits, as the kernel wants it, and what each column is to be multiplied by. */
export interface Matrix {
  readonly at: number
  readonly k: number
  readonly n: number
  readonly scales: Float32Array
  readonly bias: Float32Array
}

/** The largest number that a row is written with. */
const largest = 4095
/** No sum of products leaves 32 bits, whatever the row: so much may the numbers of a column be together. */
const maxOfColumn = Math.floor((2 ** 31 - 1) / largest)

/**
 * Products of rows of floats with fixed matrices. Both are written in whole numbers first, rows with 12 bits and matrices with about as
 * many: twice as fast as in floats, as near as makes no difference to what is learnt, and sums that are the same on every machine.
 */
export class Products {
  readonly #kernel: Kernel
  readonly #maxRows: number
  readonly #rowsAt: number
  readonly #sumsAt: number

  /** For so many rows at once, and matrices of at most so many rows and columns. */
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
      let most = 1e-30
      let sum = 1e-30
      for (let row = 0; row < k; row++) {
        const size = Math.abs(values[row * n + column] as number)
        most = Math.max(most, size)
        sum += size
      }
      // Rounding adds half to each of the numbers, at most.
      const scale = Math.min(32_767 / most, (maxOfColumn - k) / sum)
      scales[column] = 1 / scale / largest
      const panel = column - (column % 16)
      for (let row = 0; row < k; row++)
        packed[panel * k + (row >> 1) * 32 + (column - panel) * 2 + (row & 1)] = Math.round(
          (values[row * n + column] as number) * scale,
        )
    }
    return { at, k, n, scales, bias }
  }

  /** into (rows x n) = from (rows x k) * matrix + bias; or that is added to what is there. */
  multiply(from: number, matrix: Matrix, into: number, rows: number, isAdded = false): void {
    const { at, k, n, scales, bias } = matrix
    const count = evened(rows)
    const sizes = this.#shorten(from, rows, k)
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

  /** Writes rows in whole numbers; answers the largest number of each. */
  #shorten(from: number, rows: number, k: number): Float64Array {
    const source = this.#kernel.floats(from, rows * k)
    const short = new Int16Array(this.#kernel.memory.buffer, this.#rowsAt, evened(rows) * k)
    const sizes = new Float64Array(rows)
    for (let row = 0; row < rows; row++) {
      const begin = row * k
      let most = 0
      for (let i = begin; i < begin + k; i++) {
        const size = Math.abs(source[i] as number)
        if (size > most) most = size
      }
      sizes[row] = most
      const scale = most > 0 ? largest / most : 0
      for (let i = begin; i < begin + k; i++)
        short[i] = (((source[i] as number) * scale + (largest + 1.5)) | 0) - (largest + 1)
    }
    short.fill(0, rows * k)
    return sizes
  }
}

const evened = (count: number): number => count + (count % 2)
