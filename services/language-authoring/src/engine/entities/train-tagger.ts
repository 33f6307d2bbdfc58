import type { Arrays } from '../container.ts'
import type { Pace } from '../pace.ts'
import { Random } from '../text/random.ts'
import { Chain } from './chain.ts'
import { begins, goesOn, stateOf } from './labels.ts'
import { numbers, type Scopes, type Span, type TagExample, type TaggerHeader } from './tagged.ts'
import { TokenWeights } from './token-weights.ts'

const options = { epochs: 15, rate: 0.3, denseRate: 0.02, decay: 0.002, batch: 8 }
const maxFeatures = 2 ** 18

function labelsOf(spans: readonly Span[], tokens: number): Int32Array {
  const labels = new Int32Array(tokens)
  for (const { kind, first, last } of spans) {
    if (first < 0 || last >= tokens || last < first) continue
    labels[first] = begins(kind)
    for (let i = first + 1; i <= last; i++) labels[i] = goesOn(kind)
  }
  return labels
}

export async function trainTagger(
  examples: readonly TagExample[],
  kinds: number,
  arrays: Arrays,
  pace: Pace,
  scopes: Scopes = new Map(),
  overrides: Partial<typeof options> = {},
): Promise<TaggerHeader> {
  const { epochs, rate, denseRate, decay, batch } = { ...options, ...overrides }
  const chain = new Chain(kinds)
  const { labels } = chain
  const dictionary = numberFeatures(examples)
  const scoped = [...scopes].flatMap(([key, some]): [number, ReadonlySet<number>][] => {
    const feature = dictionary.get(key)
    return feature === undefined ? [] : [[feature, some]]
  })
  const hasRows = examples.length > 0 && examples.every(({ rows }) => rows !== undefined)
  const nonEmpty = examples.find(({ features }) => features.length > 0)
  const width = hasRows && nonEmpty ? (nonEmpty.rows?.length ?? 0) / nonEmpty.features.length : 0
  const numbered = examples.map((example) => numbers(example, dictionary))
  const weights = new TokenWeights(labels, dictionary.size, width, maxOf(numbered))
  const { scratch } = weights
  const changeSquares = new Float32Array(chain.changes.length)
  const gradient = new Float32Array(chain.changes.length)
  const gold = examples.map(({ spans, features: tokens }) => labelsOf(spans, tokens.length))
  const order = Int32Array.from(examples.keys())
  const random = new Random(7)
  for (let epoch = 0; epoch < epochs; epoch++) {
    random.shuffle(order)
    const learningRateFactor = 1 - epoch / epochs
    for (let i = 0; i < order.length; i++) {
      if (i % 16 === 0) await pace.breathe()
      const index = order[i] as number
      const tokens = numbered[index] as Int32Array[]
      const truth = gold[index] as Int32Array
      const rows = hasRows ? examples[index]?.rows : undefined
      const count = tokens.length
      if (count === 0) continue
      const scores = new Float64Array(count * labels)
      for (let t = 0; t < count; t++) {
        weights.score(tokens[t] as Int32Array, rows, t)
        for (let l = 0; l < labels; l++) scores[t * labels + l] = scratch[l] as number
      }
      const marginals = new Float64Array(count * labels)
      chain.marginals(scores, count, marginals, gradient)
      subtractTruth(gradient, chain, truth)
      const step = { rate: rate * learningRateFactor, denseRate: denseRate * learningRateFactor, decay }
      for (let t = 0; t < count; t++) {
        for (let l = 0; l < labels; l++) scratch[l] = marginals[t * labels + l] as number
        scratch.fill(0, labels)
        scratch[truth[t] as number] = (scratch[truth[t] as number] as number) - 1
        const squaredError = weights.squaredError()
        if (squaredError >= 1e-6) weights.learn(tokens[t] as Int32Array, rows, t, { ...step, squaredError })
      }
      if ((i + 1) % batch === 0 || i === order.length - 1) {
        learnChanges(chain, gradient, changeSquares, learningRateFactor)
      }
    }
    silence(weights, kinds, scoped)
  }
  const header: TaggerHeader = {
    kinds,
    keys: arrays.add(Uint32Array.from(dictionary.keys())),
    weights: arrays.add(weights.packed('features')),
    changes: arrays.add(chain.changes),
  }
  return width > 0 ? { ...header, dense: { weights: arrays.add(weights.packed('numbers')), size: width } } : header
}

/** Takes an AdaGrad step on the weights of label changes, and clears the gradient. */
function learnChanges(chain: Chain, gradient: Float32Array, squares: Float32Array, rateFactor: number): void {
  for (let c = 0; c < gradient.length; c++) {
    const g = gradient[c] as number
    if (g === 0) continue
    const square = (squares[c] as number) + g * g
    squares[c] = square
    chain.changes[c] = (chain.changes[c] as number) - (0.3 * rateFactor * g) / Math.sqrt(square + 1e-2)
    gradient[c] = 0
  }
  chain.refresh()
}

function maxOf(sentences: readonly (readonly Int32Array[])[]): number {
  let max = 0
  for (const tokens of sentences) for (const { length } of tokens) max = Math.max(max, length)
  return max
}

function silence(
  weights: TokenWeights,
  kinds: number,
  scoped: readonly (readonly [number, ReadonlySet<number>])[],
): void {
  for (const [feature, some] of scoped)
    for (let kind = 0; kind < kinds; kind++)
      if (!some.has(kind)) for (const label of [begins(kind), goesOn(kind)]) weights.silence(feature, label)
}

/** Subtracts the true transitions from the expected ones. */
function subtractTruth(gradient: Float32Array, chain: Chain, truth: Int32Array): void {
  let state = -1
  for (const label of truth) {
    const continues = label > 0 && label % 2 === 0
    const index = continues ? chain.on(stateOf(label) - 1) : chain.change(state, stateOf(label))
    gradient[index] = (gradient[index] as number) - 1
    state = stateOf(label)
  }
}

function numberFeatures(examples: readonly TagExample[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { features } of examples)
    for (const keys of features) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const minCount = counts.size > maxFeatures ? 2 : 1
  const dictionary = new Map<number, number>()
  for (const [key, count] of counts) if (count >= minCount) dictionary.set(key, dictionary.size)
  return dictionary
}
