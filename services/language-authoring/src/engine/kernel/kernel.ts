import { assemble } from './assembler.ts'
import { type Loops, routines } from './loops.ts'

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

/** Lengths of rows are multiples of this. */
export const lanes = 8

/** Memory, and loops over it, in WebAssembly: three to ten times as fast as JavaScript, and the same bits on every machine. */
export class Kernel {
  readonly memory: Memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 })
  readonly loops: Loops
  #top = 64

  constructor() {
    compiled ??= new WebAssembly.Module(assemble(routines()))
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
