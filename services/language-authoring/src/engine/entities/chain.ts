import { Changes } from './changes.ts'
import { begins, goesOn, start, stateOf } from './labels.ts'

/**
 * A linear-chain conditional random field over tokens. Transitions are learned between kinds (0 is outside), not between labels, which
 * keeps fifty kinds affordable.
 */
export class Chain {
  readonly kinds: number
  readonly labels: number
  /** Transitions [from kind + 1][to kind + 1], the start of a sentence first; then one number per kind for its continuation. */
  readonly changes: Float32Array
  readonly #states: number
  readonly #exp: Float64Array

  constructor(kinds: number, changes?: Float32Array) {
    this.kinds = kinds
    this.labels = 2 * kinds + 1
    this.#states = kinds + 1
    this.changes = changes ?? new Float32Array((this.#states + 1) * this.#states + kinds)
    this.#exp = new Float64Array(this.changes.length)
    this.refresh()
  }

  refresh(): void {
    for (let i = 0; i < this.changes.length; i++) this.#exp[i] = Math.exp(this.changes[i] as number)
    if (owner === this) owner = undefined
  }

  /** Returns the thread's transition table, filled with those of this chain. */
  #table(): Changes {
    if (table?.states !== this.#states) {
      table = new Changes(this.#states)
      owner = undefined
    }
    if (owner !== this) table.write(this.#exp.subarray(this.#states))
    owner = this
    return table
  }

  /** Index of the transition from a state (0 outside, k+1 in kind k, -1 the start) to the beginning of another. */
  change(from: number, to: number): number {
    return (from + 1) * this.#states + to
  }

  on(kind: number): number {
    return (this.#states + 1) * this.#states + kind
  }

  /**
   * Forward-backward algorithm: computes the marginal probabilities of labels at each token from their `scores`, and adds the expected
   * counts of transitions to `expected`.
   */
  marginals(scores: Float64Array, tokens: number, marginals: Float64Array, expected?: Float32Array): void {
    const { labels, kinds } = this
    const states = this.#states
    const exp = this.#exp
    const changes = this.#table()
    changes.reserve(tokens * labels)
    const { alpha, potentials } = changes
    const scale = new Float64Array(tokens)
    const stateMass = new Float64Array(states)
    const sums = new Float64Array(states)
    for (let t = 0; t < tokens; t++) {
      const at = t * labels
      let max = -Infinity
      for (let l = 0; l < labels; l++) max = Math.max(max, scores[at + l] as number)
      for (let l = 0; l < labels; l++) potentials[at + l] = Math.exp((scores[at + l] as number) - max)
      if (t === 0) {
        alpha.fill(0, 0, labels)
        for (let s = 0; s < states; s++) alpha[start(s)] = (exp[s] as number) * (potentials[start(s)] as number)
      } else {
        massOf(alpha, at - labels, stateMass, kinds)
        changes.forth(stateMass, sums)
        for (let s = 0; s < states; s++)
          alpha[at + start(s)] = (sums[s] as number) * (potentials[at + start(s)] as number)
        for (let k = 0; k < kinds; k++)
          alpha[at + goesOn(k)] =
            (stateMass[k + 1] as number) * (exp[this.on(k)] as number) * (potentials[at + goesOn(k)] as number)
      }
      let sum = 0
      for (let l = 0; l < labels; l++) sum += alpha[at + l] as number
      scale[t] = sum
      for (let l = 0; l < labels; l++) alpha[at + l] = (alpha[at + l] as number) / sum
    }
    const beta = new Float64Array(labels).fill(1)
    const ahead = new Float64Array(states)
    for (let t = tokens - 1; t >= 0; t--) {
      const at = t * labels
      for (let l = 0; l < labels; l++) marginals[at + l] = (alpha[at + l] as number) * (beta[l] as number)
      if (t === 0) break
      massOf(alpha, at - labels, stateMass, kinds)
      const norm = scale[t] as number
      for (let s = 0; s < states; s++)
        ahead[s] = ((potentials[at + start(s)] as number) * (beta[start(s)] as number)) / norm
      changes.back(ahead, sums, expected && stateMass)
      beta[0] = sums[0] as number
      for (let kind = 0; kind < kinds; kind++) {
        const on = this.on(kind)
        const through =
          ((exp[on] as number) * (potentials[at + goesOn(kind)] as number) * (beta[goesOn(kind)] as number)) / norm
        if (expected) expected[on] = (expected[on] as number) + through * (stateMass[kind + 1] as number)
        beta[begins(kind)] = beta[goesOn(kind)] = (sums[kind + 1] as number) + through
      }
    }
    if (!expected || tokens === 0) return
    changes.addExpected(expected, states)
    for (let s = 0; s < states; s++) expected[s] = (expected[s] as number) + (marginals[start(s)] as number)
  }

  /** Viterbi algorithm. */
  best(scores: Float64Array, tokens: number): Int32Array {
    const { labels, kinds, changes } = this
    const states = this.#states
    let scoresSoFar = new Float64Array(labels).fill(-Infinity)
    const previous = new Int32Array(tokens * labels)
    for (let t = 0; t < tokens; t++) {
      const at = t * labels
      const next = new Float64Array(labels).fill(-Infinity)
      if (t === 0)
        for (let s = 0; s < states; s++) next[start(s)] = (changes[s] as number) + (scores[at + start(s)] as number)
      else {
        for (let s = 0; s < states; s++) {
          let max = -Infinity
          let from = 0
          for (let l = 0; l < labels; l++) {
            const score = (scoresSoFar[l] as number) + (changes[(stateOf(l) + 1) * states + s] as number)
            if (score > max) {
              max = score
              from = l
            }
          }
          next[start(s)] = max + (scores[at + start(s)] as number)
          previous[at + start(s)] = from
        }
        for (let k = 0; k < kinds; k++) {
          const from = (scoresSoFar[begins(k)] as number) >= (scoresSoFar[goesOn(k)] as number) ? begins(k) : goesOn(k)
          next[goesOn(k)] =
            (scoresSoFar[from] as number) + (changes[this.on(k)] as number) + (scores[at + goesOn(k)] as number)
          previous[at + goesOn(k)] = from
        }
      }
      scoresSoFar = next
    }
    const path = new Int32Array(tokens)
    let label = 0
    for (let l = 1; l < labels; l++) if ((scoresSoFar[l] as number) > (scoresSoFar[label] as number)) label = l
    for (let t = tokens - 1; t >= 0; t--) {
      path[t] = label
      label = previous[t * labels + label] as number
    }
    return path
  }
}

let table: Changes | undefined
let owner: Chain | undefined

function massOf(alpha: Float64Array, at: number, into: Float64Array, kinds: number): void {
  into[0] = alpha[at] as number
  for (let k = 0; k < kinds; k++) into[k + 1] = (alpha[at + begins(k)] as number) + (alpha[at + goesOn(k)] as number)
}
