import type { PredictedEntity } from '../results.ts'
import { fold } from '../text/tokens.ts'
import type { WorkBudget } from '../work.ts'
import type { ParsedPattern, Part } from './parse.ts'
import type { PatternMatch } from './patterns.ts'

/** What a sentence offers to patterns. */
export interface Sentence {
  text: string
  entities: readonly PredictedEntity[]
  /** Where a pattern.any may end, ascending. */
  ends: readonly number[]
  /** Names of pattern.any entities, with the places of phrases from their explicit lists. */
  explicit: ReadonlyMap<string, readonly { start: number; end: number }[]>
}

/** An entity on the way to a state, and those before it. Objects of the answer are made for the best way only. */
interface Step {
  readonly part: EntityPart
  readonly start: number
  readonly end: number
  /** Of the sentence; undefined for a pattern.any. */
  readonly entity: PredictedEntity | undefined
  readonly previous: Step | undefined
}

interface State {
  readonly at: number
  /** Which of the states that entered the current sequence it comes from: lower ones have priority. */
  readonly origin: number
  readonly found: Step | undefined
}

type EntityPart = Part & { kind: 'entity' }

/**
 * Matches patterns against one sentence without backtracking: all states advance together, part by part, and of those at the same
 * place only the first is kept, since both would go on alike. The cost is at most parts x places for each pattern.
 */
export class Matcher {
  readonly #sentence: Sentence
  readonly #work: WorkBudget
  /** The text in lower case, with every character at its place. */
  readonly #folded: string
  /** For each place, where the next word begins. */
  readonly #next: number[]
  /** For each place, whether a word may begin or end there. */
  readonly #isBoundary: boolean[]
  readonly #starts: number[]
  readonly #end: number
  readonly #firstEnd: number[]
  /** For each place, the last visit to it. */
  readonly #visited: Uint32Array
  #visit = 0
  readonly #entities = new Map<string, PredictedEntity[]>()
  readonly #explicit = new Map<string, number[]>()

  constructor(sentence: Sentence, work: WorkBudget) {
    const { text, entities, ends, explicit } = sentence
    this.#sentence = sentence
    this.#work = work
    this.#folded = fold(text)
    this.#next = nextWords(text)
    const begin = this.#next[0] as number
    this.#isBoundary = Array.from({ length: text.length + 1 }, (_, at) => atBoundary(text, at))
    let end = text.length
    while (end > begin && between.test(text[end - 1] ?? '')) end--
    this.#end = end
    this.#starts = [begin, ...wordStarts(text).filter((at) => at > begin)]
    this.#firstEnd = firstEnds(text.length, ends)
    this.#visited = new Uint32Array(text.length + 1)
    for (const entity of entities) push(this.#entities, place(entity.name, entity.start), entity)
    for (const [name, hits] of explicit)
      for (const { start, end } of hits) push(this.#explicit, place(name, start), end)
  }

  /** Where the pattern covers the most of the sentence; of equal ones, the first. */
  best({ parts, atBegin, atEnd }: ParsedPattern): Omit<PatternMatch, 'intent'> | undefined {
    const starts = atBegin ? this.#starts.slice(0, 1) : this.#starts
    const begin = this.#starts[0] as number
    let best: { coverage: number; found: Step | undefined } | undefined
    for (const { at, origin, found } of this.#run(
      parts,
      starts.map((start, index) => ({ at: start, origin: index, found: undefined })),
    )) {
      const stop = Math.min(this.#end, at)
      if (atEnd && stop < this.#end) continue
      const coverage = this.#end > begin ? (stop - (starts[origin] as number)) / (this.#end - begin) : 0
      if (coverage > 0 && (!best || coverage > best.coverage)) best = { coverage, found }
    }
    return best && { coverage: best.coverage, entities: this.#entitiesOf(best.found) }
  }

  /** Takes states in the order of their origins, and returns them in it. */
  #run(parts: readonly Part[], states: readonly State[]): readonly State[] {
    let current = states
    for (const part of parts) {
      if (current.length === 0) break
      this.#work.spend(1 + current.length)
      current = this.#advance(part, current)
    }
    return current
  }

  #advance(part: Part, states: readonly State[]): State[] {
    switch (part.kind) {
      case 'gap':
      case 'joint':
        return this.#skip(states, part.kind === 'gap')
      case 'text':
        return this.#text(part.folded, states)
      case 'group':
        return this.#group(part, states)
      case 'entity':
        return this.#sentence.explicit.has(part.name) ? this.#any(part, states) : this.#entity(part, states)
    }
  }

  #skip(states: readonly State[], isGap: boolean): State[] {
    const isFirstAt = this.#visits()
    const outcomes: State[] = []
    for (const state of states) {
      const { at, origin, found } = state
      if (isGap && !this.#isBoundary[at]) continue
      const next = this.#next[at] ?? at
      if (isFirstAt(next)) outcomes.push(next === at ? state : { at: next, origin, found })
    }
    return outcomes
  }

  #text(folded: string, states: readonly State[]): State[] {
    const outcomes: State[] = []
    for (const { at, origin, found } of states)
      if (this.#folded.startsWith(folded, at)) outcomes.push({ at: at + folded.length, origin, found })
    return outcomes
  }

  /** Each choice is run once for all states; of its outcomes, those of the first state come first. */
  #group({ choices, optional }: Part & { kind: 'group' }, states: readonly State[]): State[] {
    const entering = states.map(({ at, found }, origin) => ({ at, origin, found }))
    const outcomes = choices.flatMap((choice) => this.#run(choice, entering))
    if (optional) outcomes.push(...entering)
    const isFirstAt = this.#visits()
    return outcomes
      .sort((a, b) => a.origin - b.origin)
      .filter(({ at }) => isFirstAt(at))
      .map(({ at, origin, found }) => ({ at, origin: (states[origin] as State).origin, found }))
  }

  #entity(part: EntityPart, states: readonly State[]): State[] {
    const isFirstAt = this.#visits()
    const outcomes: State[] = []
    for (const { at: start, origin, found } of states)
      for (const entity of this.#entities.get(place(part.name, start)) ?? []) {
        const end = start + entity.length
        if (isFirstAt(end)) outcomes.push({ at: end, origin, found: { part, start, end, entity, previous: found } })
      }
    return outcomes
  }

  /** A state takes the ends that no state before it has taken, so all states together look at each end about once. */
  #any(part: EntityPart, states: readonly State[]): State[] {
    const { ends } = this.#sentence
    const isFirstAt = this.#visits()
    const outcomes: State[] = []
    const take = ({ at: start, origin, found }: State, end: number) => {
      if (isFirstAt(end))
        outcomes.push({ at: end, origin, found: { part, start, end, entity: undefined, previous: found } })
    }
    let allTakenFrom = ends.length
    for (const state of states) {
      const listed = this.#explicit.size > 0 ? this.#explicit.get(place(part.name, state.at)) : undefined
      if (listed) {
        for (const end of listed) take(state, end)
        continue
      }
      const first = this.#firstEnd[state.at] ?? ends.length
      for (let index = first; index < allTakenFrom; index++) take(state, ends[index] as number)
      allTakenFrom = Math.min(allTakenFrom, first)
    }
    return outcomes
  }

  /** Tells whether a place is visited for the first time. Only the newest of these functions is in use. */
  #visits(): (at: number) => boolean {
    const visit = ++this.#visit
    const visited = this.#visited
    return (at) => {
      if (visited[at] === visit) return false
      visited[at] = visit
      return true
    }
  }

  #entitiesOf(last: Step | undefined): PredictedEntity[] {
    const entities: PredictedEntity[] = []
    for (let step = last; step; step = step.previous) {
      const { role, name } = step.part
      const entity = step.entity ?? this.#anyEntity(name, step.start, step.end)
      entities.push(role === undefined ? entity : { ...entity, role })
    }
    return entities.reverse()
  }

  #anyEntity(name: string, start: number, end: number): PredictedEntity {
    const text = this.#sentence.text.slice(start, end)
    return { name, kind: 'pattern.any', type: name, start, length: end - start, text, children: [], source: 'model' }
  }
}

const place = (name: string, at: number) => `${at} ${name}`

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** For each place, the index of the first end behind it. */
function firstEnds(length: number, ends: readonly number[]): number[] {
  let index = 0
  return Array.from({ length: length + 1 }, (_, at) => {
    while (index < ends.length && (ends[index] as number) <= at) index++
    return index
  })
}

const wordCharacter = /[\p{L}\p{M}\p{N}_]/u
const between = /[\s,.;:!?]/

function nextWords(text: string): number[] {
  const next = [text.length]
  for (let at = text.length - 1; at >= 0; at--) next.push(between.test(text[at] ?? '') ? (next.at(-1) as number) : at)
  return next.reverse()
}

function atBoundary(text: string, at: number): boolean {
  return at === 0 || at >= text.length || !wordCharacter.test(text[at - 1] ?? '') || !wordCharacter.test(text[at] ?? '')
}

const wordStarts = (text: string): number[] =>
  [...text.matchAll(/(?<![\p{L}\p{M}\p{N}_])[^\s]/gu)].map(({ index }) => index)
