import { readFileSync } from 'node:fs'

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

// Declared here because TypeScript's own declarations come only with those of browsers.
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { env: { memory: Memory } }) => { exports: unknown }
}

/** The inner loops of training, four floats at a time. */
interface Loops {
  /**
   * y += x * factor for each row x, in order. `terms` has an address and a factor of four bytes each, and a multiple of four entries:
   * y is read and written once for four rows.
   */
  gather(terms: number, count: number, y: number, bytes: number): void
  /** y = y * shrink + x * factor, for each row y. `steps` has an address, a factor and a shrink each; at least one. */
  scatter(steps: number, count: number, x: number, bytes: number): void
  dot(x: number, y: number, bytes: number): number
  /**
   * C (m x n) += A (m x 2k) * B, in integers of 16 bits (A, B) and 32 bits (C). B is stored in panels of 16 columns with two rows
   * interleaved; m is even, n a multiple of 16.
   */
  gemm(a: number, b: number, c: number, m: number, k: number, n: number): void
}

/** Lengths of rows are multiples of this. */
export const lanes = 8

/** Memory, and loops over it, in WebAssembly: three to ten times as fast as JavaScript, and the same bits on every machine. */
export class Kernel {
  readonly memory: Memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 })
  readonly loops: Loops
  #top = 64

  constructor() {
    compiled ??= new WebAssembly.Module(readFileSync(new URL('loops.wasm', new URL('../../../data/', import.meta.url))))
    this.loops = new WebAssembly.Instance(compiled, { env: { memory: this.memory } }).exports as Loops
  }

  /** Allocates zeroed floats. Views from earlier calls of `floats` become invalid, since memory may move. */
  allocate(count: number): number {
    const at = this.#top
    this.#top += Math.ceil((count * 4) / 64) * 64
    const missing = this.#top - this.memory.buffer.byteLength
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65_536))
    return at
  }

  floats(at: number, count: number): Float32Array {
    return new Float32Array(this.memory.buffer, at, count)
  }
}

let compiled: object | undefined

/** A list of rows and factors, for one call of `gather` or `scatter`. */
export class Terms {
  readonly #kernel: Kernel
  readonly #at: number
  readonly #max: number
  #addresses = new Int32Array()
  #factors = new Float32Array()
  #count = 0

  constructor(kernel: Kernel, max: number) {
    this.#kernel = kernel
    this.#max = Math.ceil(max / 4) * 4
    this.#at = kernel.allocate(this.#max * 3)
  }

  clear(): void {
    this.#count = 0
    const { buffer } = this.#kernel.memory
    if (this.#addresses.buffer === buffer) return
    this.#addresses = new Int32Array(buffer, this.#at, this.#max * 3)
    this.#factors = new Float32Array(buffer, this.#at, this.#max * 3)
  }

  add(address: number, factor: number): void {
    const at = 2 * this.#count++
    this.#addresses[at] = address
    this.#factors[at + 1] = factor
  }

  addStep(address: number, factor: number, shrink: number): void {
    const at = 3 * this.#count++
    this.#addresses[at] = address
    this.#factors[at + 1] = factor
    this.#factors[at + 2] = shrink
  }

  /** Adds all rows, times their factors, to the row at y. */
  gather(y: number, bytes: number): void {
    // Padded to a multiple of four with a factor of 0.
    while (this.#count % 4 > 0) this.add(y, 0)
    if (this.#count > 0) this.#kernel.loops.gather(this.#at, this.#count, y, bytes)
  }

  /** Adds a multiple of the row at x to each row. */
  scatter(x: number, bytes: number): void {
    if (this.#count > 0) this.#kernel.loops.scatter(this.#at, this.#count, x, bytes)
  }
}
