import { Kernel, lanes, Terms } from '../kernel/kernel.ts'

/** Smaller factors are skipped: denormal numbers are slow. */
const minFactor = 1e-25

/**
 * Transition table of a chain in the kernel's memory, with forward and backward products and expected counts. There are many models,
 * so to save memory a thread has one such table, for the chain in use.
 */
export class Changes {
  readonly states: number
  /** Buffers for the chain: forward variables, and exponentiated scores. */
  alpha: Float64Array = new Float64Array()
  potentials: Float64Array = new Float64Array()
  readonly #kernel = new Kernel()
  readonly #stride: number
  readonly #forth: number
  readonly #back: number
  readonly #both: number
  readonly #row: number
  readonly #terms: Terms

  constructor(states: number) {
    this.states = states
    this.#stride = Math.ceil(states / lanes) * lanes
    const size = states * this.#stride
    ;[this.#forth, this.#back, this.#both] = [0, 0, 0].map(() => this.#kernel.allocate(size)) as [
      number,
      number,
      number,
    ]
    this.#row = this.#kernel.allocate(this.#stride)
    this.#terms = new Terms(this.#kernel, states)
  }

  reserve(count: number): void {
    if (this.alpha.length >= count) return
    this.alpha = new Float64Array(2 * count)
    this.potentials = new Float64Array(2 * count)
  }

  /** Sets the transitions, one row per source state. */
  write(table: Float64Array): void {
    const { states } = this
    const stride = this.#stride
    const [forth, back] = [this.#floats(this.#forth), this.#floats(this.#back)]
    for (let from = 0; from < states; from++)
      for (let to = 0; to < states; to++) {
        forth[from * stride + to] = table[from * states + to] as number
        back[to * stride + from] = table[from * states + to] as number
      }
  }

  /** into[to] = sum of mass[from] * transition. */
  forth(mass: Float64Array, into: Float64Array): void {
    this.#product(this.#forth, mass, 1, into)
  }

  /** into[from] = sum of ahead[to] * transition; with `mass`, also accumulates expected counts. */
  back(ahead: Float64Array, into: Float64Array, mass?: Float64Array): void {
    let max = 0
    for (const value of ahead) max = Math.max(max, value)
    if (mass) {
      const row = this.#kernel.floats(this.#row, this.#stride)
      for (let to = 0; to < this.states; to++) row[to] = (ahead[to] as number) / max
      this.#terms.clear()
      for (let from = 0; from < this.states; from++) {
        const factor = (mass[from] as number) * max
        if (factor > minFactor) this.#terms.addStep(this.#both + from * this.#stride * 4, factor, 1)
      }
      this.#terms.scatter(this.#row, this.#stride * 4)
    }
    this.#product(this.#back, ahead, max, into)
  }

  /** Adds the expected counts to the table, and resets them. */
  addExpected(table: Float32Array, at: number): void {
    const { states } = this
    const stride = this.#stride
    const [forth, both] = [this.#floats(this.#forth), this.#floats(this.#both)]
    for (let from = 0; from < states; from++)
      for (let to = 0; to < states; to++)
        table[at + from * states + to] =
          (table[at + from * states + to] as number) +
          (forth[from * stride + to] as number) * (both[from * stride + to] as number)
    both.fill(0)
  }

  #product(rows: number, factors: Float64Array, max: number, into: Float64Array): void {
    const row = this.#kernel.floats(this.#row, this.#stride).fill(0)
    this.#terms.clear()
    for (let i = 0; i < this.states; i++) {
      const factor = (factors[i] as number) / max
      if (factor > minFactor) this.#terms.add(rows + i * this.#stride * 4, factor)
    }
    this.#terms.gather(this.#row, this.#stride * 4)
    for (let i = 0; i < this.states; i++) into[i] = (row[i] as number) * max
  }

  #floats(at: number): Float32Array {
    return this.#kernel.floats(at, this.states * this.#stride)
  }
}
