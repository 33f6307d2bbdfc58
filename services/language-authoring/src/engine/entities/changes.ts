import { Kernel, lanes, Terms } from '../kernel/kernel.ts'

/** Less than this beside 1 is nothing: what is smaller still would be slow to multiply. */
const nothing = 1e-25

/**
 * A chain's table of changes, where the kernel's loops reach it: products with what is likely before, with what is likely after, and
 * what is expected of each change. Memory is dear, and models are many: a thread has one such place, for the chain at work.
 */
export class Changes {
  readonly states: number
  /** Room for the chain's own numbers: what leads to each label of each token, and what the token says of it. */
  alpha: Float64Array = new Float64Array()
  said: Float64Array = new Float64Array()
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
    this.said = new Float64Array(2 * count)
  }

  /** From each state to each, row by row. */
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

  /** into[to] = the sum of mass[from] times the change. */
  forth(mass: Float64Array, into: Float64Array): void {
    this.#product(this.#forth, mass, 1, into)
  }

  /** into[from] = the sum of ahead[to] times the change, and both go to what is expected, unless nobody asks. */
  back(ahead: Float64Array, into: Float64Array, mass?: Float64Array): void {
    let most = 0
    for (const value of ahead) most = Math.max(most, value)
    if (mass) {
      const row = this.#kernel.floats(this.#row, this.#stride)
      for (let to = 0; to < this.states; to++) row[to] = (ahead[to] as number) / most
      this.#terms.clear()
      for (let from = 0; from < this.states; from++) {
        const factor = (mass[from] as number) * most
        if (factor > nothing) this.#terms.addStep(this.#both + from * this.#stride * 4, factor, 1)
      }
      this.#terms.scatter(this.#row, this.#stride * 4)
    }
    this.#product(this.#back, ahead, most, into)
  }

  /** Adds what is expected of each change to the table, and begins anew. */
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

  #product(rows: number, factors: Float64Array, most: number, into: Float64Array): void {
    const row = this.#kernel.floats(this.#row, this.#stride).fill(0)
    this.#terms.clear()
    for (let i = 0; i < this.states; i++) {
      const factor = (factors[i] as number) / most
      if (factor > nothing) this.#terms.add(rows + i * this.#stride * 4, factor)
    }
    this.#terms.gather(this.#row, this.#stride * 4)
    for (let i = 0; i < this.states; i++) into[i] = (row[i] as number) * most
  }

  #floats(at: number): Float32Array {
    return this.#kernel.floats(at, this.states * this.#stride)
  }
}
