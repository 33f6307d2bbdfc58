import type { PredictedEntity } from '../results.ts'
import { fold } from '../text/tokens.ts'
import type { WorkBudget } from '../work.ts'
import type { ParsedPattern, Part } from './parse.ts'
import type { PatternMatch } from './patterns.ts'

/** Input of the matcher. */
export interface Sentence {
  text: string
  entities: readonly PredictedEntity[]
  /** Possible ends of a pattern.any, ascending. */
  ends: readonly number[]
  /** Phrases of explicit lists in the text, by pattern.any entity. */
  explicit: ReadonlyMap<string, readonly { start: number; end: number }[]>
}

/** An entity on the path to a state, linked to the previous ones. Results are only created for the best path. */
interface Step {
  readonly part: EntityPart
  readonly start: number
  readonly end: number
  /** Undefined for a pattern.any. */
  readonly entity: PredictedEntity | undefined
  readonly previous: Step | undefined
}

interface State {
  readonly at: number
  /** Index of the state in which the current sequence was entered: lower ones have priority. */
  readonly origin: number
  readonly step: Step | undefined
}

type EntityPart = Part & { kind: 'entity' }

/**
 * Matches patterns against one sentence without backtracking: all states advance together, part by part, and of those at the same
 * position only the first is kept. The cost is at most parts x positions for each pattern.
 */
export class Matcher {
  readonly #sentence: Sentence
  readonly #work: WorkBudget
  /** The text in lower case, with the same offsets. */
  readonly #folded: string
  /** For each position, the start of the next word. */
  readonly #next: number[]
  /** For each position, whether it is a word boundary. */
  readonly #isBoundary: boolean[]
  readonly #starts: number[]
  readonly #end: number
  readonly #firstEnd: number[]
  /** For each position, the number of its last visit. */
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
    for (const entity of entities) push(this.#entities, placeKey(entity.name, entity.start), entity)
    for (const [name, hits] of explicit)
      for (const { start, end } of hits) push(this.#explicit, placeKey(name, start), end)
  }

  /** Returns the match with the highest coverage; of equal ones, the first. */
  best({ parts, atBegin, atEnd }: ParsedPattern): Omit<PatternMatch, 'intent'> | undefined {
    const starts = atBegin ? this.#starts.slice(0, 1) : this.#starts
    const begin = this.#starts[0] as number
    let best: { coverage: number; step: Step | undefined } | undefined
    for (const { at, origin, step } of this.#run(
      parts,
      starts.map((start, index) => ({ at: start, origin: index, step: undefined })),
    )) {
      const stop = Math.min(this.#end, at)
      if (atEnd && stop < this.#end) continue
      const coverage = this.#end > begin ? (stop - (starts[origin] as number)) / (this.#end - begin) : 0
      if (coverage > 0 && (!best || coverage > best.coverage)) best = { coverage, step }
    }
    return best && { coverage: best.coverage, entities: this.#entitiesOf(best.step) }
  }

  /** States are ordered by origin. */
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
      const { at, origin, step } = state
      if (isGap && !this.#isBoundary[at]) continue
      const next = this.#next[at] ?? at
      if (isFirstAt(next)) outcomes.push(next === at ? state : { at: next, origin, step })
    }
    return outcomes
  }

  #text(folded: string, states: readonly State[]): State[] {
    const outcomes: State[] = []
    for (const { at, origin, step } of states)
      if (this.#folded.startsWith(folded, at)) outcomes.push({ at: at + folded.length, origin, step })
    return outcomes
  }

  /** Runs each choice once for all states; outcomes are ordered by state. */
  #group({ choices, optional }: Part & { kind: 'group' }, states: readonly State[]): State[] {
    const entering = states.map(({ at, step }, origin) => ({ at, origin, step }))
    const outcomes = choices.flatMap((choice) => this.#run(choice, entering))
    if (optional) outcomes.push(...entering)
    const isFirstAt = this.#visits()
    return outcomes
      .sort((a, b) => a.origin - b.origin)
      .filter(({ at }) => isFirstAt(at))
      .map(({ at, origin, step }) => ({ at, origin: (states[origin] as State).origin, step }))
  }

  #entity(part: EntityPart, states: readonly State[]): State[] {
    const isFirstAt = this.#visits()
    const outcomes: State[] = []
    for (const { at: start, origin, step } of states)
      for (const entity of this.#entities.get(placeKey(part.name, start)) ?? []) {
        const end = start + entity.length
        if (isFirstAt(end)) outcomes.push({ at: end, origin, step: { part, start, end, entity, previous: step } })
      }
    return outcomes
  }

  /** A state takes the ends that no earlier state has taken, so each end is visited about once. */
  #any(part: EntityPart, states: readonly State[]): State[] {
    const { ends } = this.#sentence
    const isFirstAt = this.#visits()
    const outcomes: State[] = []
    const take = ({ at: start, origin, step }: State, end: number) => {
      if (isFirstAt(end))
        outcomes.push({ at: end, origin, step: { part, start, end, entity: undefined, previous: step } })
    }
    let allTakenFrom = ends.length
    for (const state of states) {
      const listed = this.#explicit.size > 0 ? this.#explicit.get(placeKey(part.name, state.at)) : undefined
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

  /** Returns a function that is true for the first visit of a position. It invalidates earlier ones. */
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

const placeKey = (name: string, at: number) => `${at} ${name}`

function push<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** For each position, the index of the first end after it. */
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
