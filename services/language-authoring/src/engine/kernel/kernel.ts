import { assemble } from './assembler.ts'
import { type Loops, routines } from './loops.ts'

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

// What is used of it; the compiler's own declarations come only with those of browsers.
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { env: { memory: Memory } }) => { exports: unknown }
}

/** Rows of floats are as long as a multiple of this. */
export const lanes = 8

/**
 * A memory, and loops over what is in it. WebAssembly, since it is three to ten times as fast as the same loops in JavaScript, and
 * gives the same bits on every machine.
 */
export class Kernel {
  readonly memory: Memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 })
  readonly loops: Loops
  #top = 64

  constructor() {
    compiled ??= new WebAssembly.Module(assemble(routines()))
    this.loops = new WebAssembly.Instance(compiled, { env: { memory: this.memory } }).exports as Loops
  }

  /** The place of so many floats, all 0. Floats of earlier calls must be taken anew by `floats`: memory may have moved. */
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

/** Rows of a kernel, each with its factor: what is added up, or moved by a step, in one go. */
export class Terms {
  readonly #kernel: Kernel
  readonly #at: number
  readonly #most: number
  #addresses = new Int32Array()
  #factors = new Float32Array()
  #count = 0

  constructor(kernel: Kernel, most: number) {
    this.#kernel = kernel
    this.#most = Math.ceil(most / 4) * 4
    this.#at = kernel.allocate(this.#most * 3)
  }

  clear(): void {
    this.#count = 0
    const { buffer } = this.#kernel.memory
    if (this.#addresses.buffer === buffer) return
    this.#addresses = new Int32Array(buffer, this.#at, this.#most * 3)
    this.#factors = new Float32Array(buffer, this.#at, this.#most * 3)
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

  /** Adds all rows to the one at y. */
  gather(y: number, bytes: number): void {
    // Nothing of a row that is there anyway makes them a multiple of four.
    while (this.#count % 4 > 0) this.add(y, 0)
    if (this.#count > 0) this.#kernel.loops.gather(this.#at, this.#count, y, bytes)
  }

  /** Moves each row by a multiple of the one at x. */
  scatter(x: number, bytes: number): void {
    if (this.#count > 0) this.#kernel.loops.scatter(this.#at, this.#count, x, bytes)
  }
}
