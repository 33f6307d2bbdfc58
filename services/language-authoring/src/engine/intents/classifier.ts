import { Arrays, pack, type Unpacked, unpack } from '../container.ts'
import { width } from '../embed/encoder.ts'
import type { Pace } from '../pace.ts'
import { hash, mix } from '../text/hash.ts'
import type { Token } from '../text/tokens.ts'
import { abstain, bestBeside, chooseMargin, type HeldOut } from './abstain.ts'
import { sentenceHashes, tokenHashes } from './features.ts'
import { softmax, trainSoftmax } from './softmax.ts'
import { dictionaryOf, type Rows, toRows } from './sparse.ts'

export interface Sentence {
  tokens: readonly Token[]
  /** Names of phrase lists and entities found in it. */
  hints: readonly string[]
  /** Unit vector; undefined if there is no encoder for the language. */
  embedding?: Float32Array | undefined
  /** Whether it has a word of the encoder's vocabulary. */
  hasWord?: boolean
}

export interface Example extends Sentence {
  label: number
  /** A variant of the previous sentence. */
  isCopy?: true
}

export interface ClassifierHeader {
  classes: number
  keys: number
  idf: number
  weights: number
  scales: number
  bias: number
  /** Weights for the embedding, then for hints. */
  dense?: { weights: number; bias: number; hints: number }
  /** The class None, and its margin. */
  none?: { class: number; margin: number }
}

/** Classes to which a hint is limited. */
export type Allowed = ReadonlyMap<string, ReadonlySet<number>>

// Chosen on CLINC150's validation part, see ADR 43.
const sparseOptions = { epochs: 12, rate: 1 }
const denseOptions = { epochs: 12, rate: 0.3 }
const denseScale = 20
const hintScale = 2
const denseShare = 0.5
/** From this size on, features of a single sentence are dropped: half of them, with hardly a difference. */
const manySentences = 3000
const maxWeights = 2 ** 26
/** Probability of None for a sentence without known words. */
const unknownShare = 0.95

/** `none` is the class None, if there is one. */
export async function trainClassifier(
  examples: readonly Example[],
  { classes, none }: { readonly classes: number; readonly none: number | undefined },
  allowed: Allowed,
  arrays: Arrays,
  pace: Pace,
): Promise<ClassifierHeader> {
  const header = await trainScores(examples, classes, allowed, arrays, pace)
  if (none === undefined) return header
  const sentences = await crossValidate(examples, { classes, none }, allowed, pace)
  return { ...header, none: { class: none, margin: chooseMargin(sentences) } }
}

/** Scores each sentence of an intent with a classifier trained on others. */
async function crossValidate(
  examples: readonly Example[],
  { classes, none }: { readonly classes: number; readonly none: number },
  allowed: Allowed,
  pace: Pace,
): Promise<HeldOut[]> {
  // For many sentences, one of two folds is enough.
  const [folds, rounds] = examples.length < manySentences ? [5, 5] : [2, 1]
  let originals = 0
  const foldOf = examples.map(({ isCopy }) => (isCopy ? originals : ++originals) % folds)
  const sentences: HeldOut[] = []
  for (let fold = 0; fold < rounds; fold++) {
    const arrays = new Arrays()
    const others = examples.filter((_, i) => foldOf[i] !== fold)
    const header = await trainScores(others, classes, allowed, arrays, pace)
    const classifier = new Classifier(header, unpack(pack(header, arrays)))
    for (const [i, example] of examples.entries()) {
      if (foldOf[i] !== fold || example.isCopy || example.label === none) continue
      await pace.breathe()
      const scores = classifier.classify(example)
      const best = bestBeside(scores, none)
      sentences.push({ best, none: scores[none] as number, isRight: scores[example.label] === best })
    }
  }
  return sentences
}

async function trainScores(
  examples: readonly Example[],
  classes: number,
  allowed: Allowed,
  arrays: Arrays,
  pace: Pace,
): Promise<ClassifierHeader> {
  const labels = Int32Array.from(examples.map(({ label }) => label))
  const sentences: Map<number, number>[] = []
  for (const { tokens, hints } of examples) {
    await pace.breathe()
    sentences.push(sentenceHashes(tokens, hints))
  }
  let minCount = examples.length < manySentences ? 1 : 2
  let { dictionary, idf } = dictionaryOf(sentences, minCount)
  while (dictionary.size * classes > maxWeights) ({ dictionary, idf } = dictionaryOf(sentences, ++minCount))
  const columns = new Map<number, ReadonlySet<number>>()
  for (const [hint, some] of allowed) {
    const column = dictionary.get(hintKey(hint))
    if (column !== undefined) columns.set(column, some)
  }
  const sparse = await trainSoftmax(
    toRows(sentences, dictionary, idf),
    labels,
    classes,
    dictionary.size,
    { ...sparseOptions, epochs: epochsFor(examples.length, sparseOptions.epochs), allowed: columns },
    pace,
  )
  const { quantized, scales } = quantize(sparse.weights, classes)
  const header: ClassifierHeader = {
    classes,
    keys: arrays.add(Uint32Array.from(dictionary.keys())),
    idf: arrays.add(idf),
    weights: arrays.add(quantized),
    scales: arrays.add(scales),
    bias: arrays.add(sparse.bias),
  }
  if (examples.length === 0 || examples.some(({ embedding }) => !embedding)) return header
  const hints = new Map<number, number>()
  for (const { hints: names } of examples)
    for (const name of names) if (!hints.has(hintKey(name))) hints.set(hintKey(name), hints.size)
  const hintColumns = new Map<number, ReadonlySet<number>>()
  for (const [hint, some] of allowed) {
    const column = hints.get(hintKey(hint))
    if (column !== undefined) hintColumns.set(width + column, some)
  }
  const dense = await trainSoftmax(
    denseRows(examples, hints),
    labels,
    classes,
    width + hints.size,
    { ...denseOptions, epochs: epochsFor(examples.length, denseOptions.epochs), allowed: hintColumns },
    pace,
  )
  const denseHeader = {
    weights: arrays.add(dense.weights),
    bias: arrays.add(dense.bias),
    hints: arrays.add(Uint32Array.from(hints.keys())),
  }
  return { ...header, dense: denseHeader }
}

const hintKey = (hint: string): number => mix(hash(`h ${hint}`))

/** Few sentences need more epochs, and have the time for them. */
const epochsFor = (examples: number, epochs: number): number =>
  Math.min(60, Math.max(epochs, Math.round((epochs * 2000) / Math.max(1, examples))))

function denseRows(examples: readonly Example[], hints: ReadonlyMap<number, number>): Rows {
  const starts = new Int32Array(examples.length + 1)
  examples.forEach((example, i) => {
    starts[i + 1] = (starts[i] as number) + width + new Set(example.hints).size
  })
  const columns = new Int32Array(starts.at(-1) ?? 0)
  const values = new Float32Array(columns.length)
  examples.forEach((example, i) => {
    let at = starts[i] as number
    for (let k = 0; k < width; k++) {
      columns[at] = k
      values[at++] = (example.embedding?.[k] ?? 0) * denseScale
    }
    for (const hint of new Set(example.hints)) {
      columns[at] = width + (hints.get(hintKey(hint)) ?? 0)
      values[at++] = hintScale
    }
  })
  return { starts, columns, values }
}

/** Quantizes weights to bytes, with a scale per feature. */
function quantize(weights: Float32Array, classes: number): { quantized: Int8Array; scales: Float32Array } {
  const features = classes === 0 ? 0 : weights.length / classes
  const quantized = new Int8Array(weights.length)
  const scales = new Float32Array(features)
  for (let f = 0; f < features; f++) {
    let max = 0
    for (let c = 0; c < classes; c++) max = Math.max(max, Math.abs(weights[f * classes + c] as number))
    scales[f] = max / 127
    if (max > 0)
      for (let c = 0; c < classes; c++)
        quantized[f * classes + c] = Math.round(((weights[f * classes + c] as number) / max) * 127)
  }
  return { quantized, scales }
}

export class Classifier {
  readonly #classes: number
  readonly #columns = new Map<number, number>()
  readonly #idf: Float32Array
  readonly #weights: Int8Array
  readonly #scales: Float32Array
  readonly #bias: Float32Array
  readonly #dense: { weights: Float32Array; bias: Float32Array; hints: Map<number, number> } | undefined
  readonly #none: ClassifierHeader['none']

  constructor(header: ClassifierHeader, model: Unpacked<unknown>) {
    this.#classes = header.classes
    for (const [column, key] of model.u32(header.keys).entries()) this.#columns.set(key, column)
    this.#idf = model.f32(header.idf)
    this.#weights = model.i8(header.weights)
    this.#scales = model.f32(header.scales)
    this.#bias = model.f32(header.bias)
    this.#none = header.none
    if (!header.dense) return
    const hints = new Map<number, number>()
    for (const [column, key] of model.u32(header.dense.hints).entries()) hints.set(key, column)
    this.#dense = { weights: model.f32(header.dense.weights), bias: model.f32(header.dense.bias), hints }
  }

  get usesEmbedding(): boolean {
    return this.#dense !== undefined
  }

  /** Returns the probability of each class. */
  classify(sentence: Sentence): Float32Array {
    const scores = this.#scores(sentence)
    if (!this.#none) return scores
    const { class: none, margin } = this.#none
    abstain(scores, none, margin)
    if (this.#isUnknown(sentence))
      for (let c = 0; c < scores.length; c++)
        scores[c] = (c === none ? unknownShare : 0) + (1 - unknownShare) * (scores[c] as number)
    return scores
  }

  /** Whether it has no known word, not even half of one by its characters, and none of the encoder's vocabulary. */
  #isUnknown({ tokens, hints, hasWord }: Sentence): boolean {
    if (hasWord || hints.some((hint) => this.#columns.has(hintKey(hint)))) return false
    return tokens.every((token) => {
      const { word, characters } = tokenHashes(token)
      return (
        !this.#columns.has(word) && characters.filter((key) => this.#columns.has(key)).length < characters.length / 2
      )
    })
  }

  #scores({ tokens, hints, embedding }: Sentence): Float32Array {
    const classes = this.#classes
    const scores = this.#bias.slice()
    for (const [key, value] of sentenceHashes(tokens, hints)) {
      const column = this.#columns.get(key)
      if (column === undefined) continue
      const factor = value * (this.#idf[column] as number) * (this.#scales[column] as number)
      const at = column * classes
      for (let c = 0; c < classes; c++) scores[c] = (scores[c] as number) + (this.#weights[at + c] as number) * factor
    }
    softmax(scores)
    if (!this.#dense || !embedding) return scores
    const { weights, bias, hints: hintColumns } = this.#dense
    const denseScores = bias.slice()
    const add = (row: number, factor: number): void => {
      const at = row * classes
      for (let c = 0; c < classes; c++)
        denseScores[c] = (denseScores[c] as number) + (weights[at + c] as number) * factor
    }
    for (let k = 0; k < width; k++) add(k, (embedding[k] as number) * denseScale)
    for (const hint of new Set(hints)) {
      const column = hintColumns.get(hintKey(hint))
      if (column !== undefined) add(width + column, hintScale)
    }
    softmax(denseScores)
    for (let c = 0; c < classes; c++)
      scores[c] =
        (1 - denseShare) * Math.log((scores[c] as number) + 1e-9) +
        denseShare * Math.log((denseScores[c] as number) + 1e-9)
    softmax(scores)
    return scores
  }
}
