import type { Skeleton } from '../hits/finder.ts'
import type { PredictedEntity } from '../results.ts'
import { Phrases, type TextRules, unitsOf } from '../text/phrases.ts'
import { normalize } from '../text/tokens.ts'
import { type ParsedPattern, type Part, parsePattern } from './parse.ts'

export interface PatternMatch {
  intent: string
  /** Which share of the sentence it covers. */
  coverage: number
  entities: PredictedEntity[]
}

/** Where a match has come to, and what it has found on the way. */
interface State {
  at: number
  found: readonly PredictedEntity[]
}

const wordCharacter = /[\p{L}\p{M}\p{N}_]/u
const between = /[\s,.;:!?]/

/** What a sentence offers to patterns. */
interface Sentence {
  text: string
  /** As long as the text, in lower case. */
  folded: string
  entities: readonly PredictedEntity[]
  /** Where a pattern.any may end. */
  ends: readonly number[]
  explicit: ReadonlyMap<string, { start: number; end: number }[]>
}

export class Patterns {
  readonly #patterns: { intent: string; parsed: ParsedPattern }[] = []
  readonly #any = new Map<string, Phrases<true>>()
  readonly #rules: TextRules
  readonly problems: { pattern: string; message: string }[] = []

  constructor(app: Skeleton, rules: TextRules) {
    this.#rules = rules
    for (const { pattern, intent } of app.patterns)
      try {
        this.#patterns.push({ intent, parsed: parsePattern(pattern) })
      } catch (error) {
        this.problems.push({ pattern, message: error instanceof Error ? error.message : String(error) })
      }
    for (const { name, explicitList } of app.patternAnyEntities) {
      const phrases = new Phrases<true>(rules)
      for (const phrase of explicitList) phrases.add(phrase, true)
      this.#any.set(name, phrases)
    }
  }

  /** All patterns that the sentence has, each where it covers the most of it. */
  match(text: string, entities: readonly PredictedEntity[]): PatternMatch[] {
    if (this.#patterns.length === 0) return []
    const units = unitsOf(text, this.#rules)
    const explicit = new Map([...this.#any].map(([name, phrases]) => [name, phrases.find(units)] as const))
    const sentence: Sentence = { text, folded: folded(text), entities, ends: units.map(({ end }) => end), explicit }
    return this.#patterns.flatMap(({ intent, parsed }) => {
      const best = this.#best(parsed, sentence)
      return best ? [{ intent, ...best }] : []
    })
  }

  #best(parsed: ParsedPattern, sentence: Sentence): Omit<PatternMatch, 'intent'> | undefined {
    const { text } = sentence
    const begin = skip(text, 0)
    let end = text.length
    while (end > begin && between.test(text[end - 1] ?? '')) end--
    const starts = parsed.atBegin ? [begin] : [begin, ...wordStarts(text).filter((at) => at > begin)]
    let best: Omit<PatternMatch, 'intent'> | undefined
    for (const start of starts) {
      for (const { at, found } of this.#run(parsed.parts, [{ at: start, found: [] }], sentence)) {
        const stop = Math.min(end, at)
        if (parsed.atEnd && stop < end) continue
        const coverage = end > begin ? (stop - start) / (end - begin) : 0
        if (coverage > 0 && (!best || coverage > best.coverage)) best = { coverage, entities: [...found] }
      }
      if (best?.coverage === 1) break
    }
    return best
  }

  #run(parts: readonly Part[], states: readonly State[], sentence: Sentence): State[] {
    let current = [...states]
    for (const part of parts) {
      const reached = new Set<number>()
      current = distinct(current.flatMap((state) => this.#step(part, state, sentence, reached)))
      if (current.length === 0) break
    }
    return current
  }

  /** `reached`: places where another state has come to by this part; nobody need come there again. */
  #step(part: Part, state: State, sentence: Sentence, reached: Set<number>): State[] {
    const { text, folded: sound } = sentence
    switch (part.kind) {
      case 'gap':
        return atBoundary(text, state.at) ? [{ ...state, at: skip(text, state.at) }] : []
      case 'joint':
        return [{ ...state, at: skip(text, state.at) }]
      case 'text': {
        const wanted = folded(part.text)
        return sound.startsWith(wanted, state.at) ? [{ ...state, at: state.at + wanted.length }] : []
      }
      case 'group':
        return [
          ...part.choices.flatMap((choice) => this.#run(choice, [state], sentence)),
          ...(part.optional ? [state] : []),
        ]
      case 'entity':
        return this.#entity(part, state, sentence, reached)
    }
  }

  #entity(part: Part & { kind: 'entity' }, state: State, sentence: Sentence, places: Set<number>): State[] {
    const inRole = part.role === undefined ? {} : { role: part.role }
    const reached = (entity: PredictedEntity): State => ({
      at: entity.start + entity.length,
      found: [...state.found, { ...entity, ...inRole }],
    })
    if (!this.#any.has(part.name))
      return sentence.entities.filter(({ name, start }) => name === part.name && start === state.at).map(reached)
    const listed = sentence.explicit.get(part.name)?.filter(({ start }) => start === state.at) ?? []
    const ends = listed.length > 0 ? listed.map(({ end }) => end) : sentence.ends.filter((end) => end > state.at)
    const first = ends.filter((end) => !places.has(end))
    for (const end of first) places.add(end)
    return first.map((end) =>
      reached({
        name: part.name,
        kind: 'pattern.any',
        type: part.name,
        start: state.at,
        length: end - state.at,
        text: sentence.text.slice(state.at, end),
        children: [],
        source: 'model',
      }),
    )
  }
}

/** Lower case, quotes straight, and still every character at its place. */
function folded(text: string): string {
  let result = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? ''
    const normal = normalize(character)
    result += normal.length === 1 ? normal : character
  }
  return result
}

function skip(text: string, from: number): number {
  let at = from
  while (at < text.length && between.test(text[at] ?? '')) at++
  return at
}

function atBoundary(text: string, at: number): boolean {
  return at === 0 || at >= text.length || !wordCharacter.test(text[at - 1] ?? '') || !wordCharacter.test(text[at] ?? '')
}

const wordStarts = (text: string): number[] =>
  [...text.matchAll(/(?<![\p{L}\p{M}\p{N}_])[^\s]/gu)].map(({ index }) => index)

/** Of those that came to the same place, the first. */
function distinct(states: readonly State[]): State[] {
  const places = new Map<number, State>()
  for (const state of states) if (!places.has(state.at)) places.set(state.at, state)
  return [...places.values()]
}
