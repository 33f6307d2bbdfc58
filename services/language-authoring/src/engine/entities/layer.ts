import type { Arrays, Unpacked } from '../container.ts'
import type { Hit } from '../hits/hit.ts'
import type { Pace } from '../pace.ts'
import type { Related } from '../relations.ts'
import type { Token } from '../text/tokens.ts'
import { tokenFeatures } from './features.ts'
import { keyOf, type Span, type TagExample, type TaggerHeader } from './tagged.ts'
import { Tagger } from './tagger.ts'
import { trainTagger } from './train-tagger.ts'

/** A class of the layer: an entity, optionally in a role. */
export interface Kind {
  entity: string
  role?: string
  related: Related
}

/** A sentence, or the part of a parent entity. */
export interface LayerInput {
  tokens: readonly Token[]
  hits: readonly Hit[]
  rows?: Float32Array | undefined
  first: number
  last: number
}

export interface LayerExample extends LayerInput {
  spans: readonly Span[]
}

export interface LayerHeader {
  kinds: Kind[]
  tagger: TaggerHeader
  /** Words of labelled values, with their kinds. */
  words: Record<string, number[]>
  /** Phrase lists for all models. */
  everywhere: string[]
}

const relatedMark = 'r:'
const related = (name: string): string => relatedMark + name

/** Selects the hits for all models, and, under a prefixed name, those of related ones. */
function visibleHits(hits: readonly Hit[], kinds: readonly Kind[], everywhere: ReadonlySet<string>): Hit[] {
  const names = new Set(kinds.flatMap((kind) => kind.related.names))
  return hits.flatMap((hit) => [
    ...(hit.kind === 'phrases' && !everywhere.has(hit.model) ? [] : [hit]),
    ...(names.has(hit.model) ? [{ ...hit, model: related(hit.model) }] : []),
  ])
}

/** Derives from feature names which of them are of related models, and for which kinds. */
class ScopeReader {
  readonly scopes = new Map<number, ReadonlySet<number>>()
  readonly #kinds = new Map<string, Set<number>>()

  constructor(kinds: readonly Kind[]) {
    for (const [index, kind] of kinds.entries())
      for (const name of kind.related.names) this.#kinds.set(name, (this.#kinds.get(name) ?? new Set()).add(index))
  }

  read(feature: string): void {
    const rest = /^h(?:[+-]1|,-1)? r:(.*)$/.exec(feature)?.[1]
    if (rest === undefined) return
    for (const [name, some] of this.#kinds)
      if (rest === name || rest.startsWith(`${name} `)) this.scopes.set(keyOf(feature), some)
  }
}

function featuresOf(
  input: LayerInput,
  kinds: readonly Kind[],
  everywhere: ReadonlySet<string>,
  words: (token: Token) => readonly number[],
  reader?: ScopeReader,
): Uint32Array[] {
  const more = input.tokens.map((token) => words(token).map((kind) => `v${kind}`))
  const features = tokenFeatures(input.tokens, visibleHits(input.hits, kinds, everywhere), more)
  return features.slice(input.first, input.last + 1).map((names) => {
    for (const name of names) reader?.read(name)
    return Uint32Array.from(names, keyOf)
  })
}

function rowsOf({ rows, tokens, first, last }: LayerInput): Float32Array | undefined {
  const size = rows && tokens.length > 0 ? rows.length / tokens.length : 0
  return rows?.subarray(first * size, (last + 1) * size)
}

/** Replaces a word, so that only the hit is a feature. */
const mask = '\u0000'

/** Masks the words of hits, so that the model generalizes to all values of their lists. */
function masked(example: LayerExample, names: ReadonlySet<string>): LayerExample | undefined {
  const hits = example.hits.filter((hit) => names.has(hit.model))
  const covered = (token: Token) => hits.some((hit) => hit.start < token.end && token.start < hit.end)
  if (!example.tokens.some(covered)) return undefined
  const size = example.rows && example.tokens.length > 0 ? example.rows.length / example.tokens.length : 0
  const rows = example.rows?.slice()
  for (const [i, token] of example.tokens.entries()) if (covered(token)) rows?.fill(0, i * size, (i + 1) * size)
  const tokens = example.tokens.map((token) => (covered(token) ? { ...token, text: mask, normal: mask } : token))
  return { ...example, tokens, rows }
}

export async function trainLayer(
  kinds: Kind[],
  examples: readonly LayerExample[],
  everywhere: ReadonlySet<string>,
  arrays: Arrays,
  pace: Pace,
): Promise<LayerHeader> {
  const words = labelledWords(examples)
  const reader = new ScopeReader(kinds)
  const names = new Set([...everywhere, ...kinds.flatMap((kind) => kind.related.names)])
  const toExample = (example: LayerExample, index: number): TagExample => ({
    // A word that only this example labels would leak its label.
    features: featuresOf(
      example,
      kinds,
      everywhere,
      (token) =>
        [...(words.get(token.normal) ?? [])].filter(([, by]) => by.size > 1 || !by.has(index)).map(([kind]) => kind),
      reader,
    ),
    rows: rowsOf(example),
    spans: example.spans.map((span) => ({
      ...span,
      first: span.first - example.first,
      last: span.last - example.first,
    })),
  })
  const inputs: TagExample[] = []
  for (const [index, example] of examples.entries()) {
    await pace.breathe()
    inputs.push(toExample(example, index))
    const copy = masked(example, names)
    if (copy) inputs.push(toExample(copy, index))
  }
  const rounds = Math.min(60, Math.max(12, Math.round(6000 / Math.max(1, inputs.length))))
  const tagger = await trainTagger(inputs, kinds.length, arrays, pace, reader.scopes, { epochs: rounds })
  const wordKinds = [...words].map(([word, by]): [string, number[]] => [word, [...by.keys()].sort((a, b) => a - b)])
  return { kinds, tagger, words: Object.fromEntries(wordKinds), everywhere: [...everywhere] }
}

function labelledWords(examples: readonly LayerExample[]): Map<string, Map<number, Set<number>>> {
  const words = new Map<string, Map<number, Set<number>>>()
  for (const [index, { tokens, spans }] of examples.entries())
    for (const { kind, first, last } of spans)
      for (const { normal } of tokens.slice(first, last + 1)) {
        const kinds = words.get(normal) ?? new Map<number, Set<number>>()
        kinds.set(kind, (kinds.get(kind) ?? new Set()).add(index))
        words.set(normal, kinds)
      }
  return words
}

export interface Match {
  kind: Kind
  /** Tokens of the sentence, inclusive. */
  first: number
  last: number
  score: number
}

export class Layer {
  readonly #kinds: Kind[]
  readonly #tagger: Tagger
  readonly #words: Map<string, number[]>
  readonly #everywhere: Set<string>

  constructor(header: LayerHeader, model: Unpacked<unknown>) {
    this.#kinds = header.kinds
    this.#tagger = new Tagger(header.tagger, model)
    this.#words = new Map(Object.entries(header.words))
    this.#everywhere = new Set(header.everywhere)
  }

  get rowSize(): number {
    return this.#tagger.rowSize
  }

  find(input: LayerInput): Match[] {
    const features = featuresOf(input, this.#kinds, this.#everywhere, (token) => this.#words.get(token.normal) ?? [])
    const spans = this.#tagger.tag({ features, rows: rowsOf(input) })
    return spans
      .map(({ kind, first, last, score }) => ({
        kind: this.#kinds[kind] as Kind,
        first: first + input.first,
        last: last + input.first,
        score,
      }))
      .filter((match) => isAllowed(match, input))
  }
}

/** Whether a hit of every required model overlaps the match. */
function isAllowed({ kind, first, last }: Match, { tokens, hits }: LayerInput): boolean {
  const start = tokens[first]?.start ?? 0
  const end = tokens[last]?.end ?? 0
  return kind.related.required.every((name) =>
    hits.some((hit) => hit.model === name && hit.start < end && start < hit.end),
  )
}
