import type { Skeleton } from '../hits/finder.ts'
import type { PredictedEntity } from '../results.ts'
import { Phrases, type TextRules, unitsOf } from '../text/phrases.ts'
import type { WorkBudget } from '../work.ts'
import { Matcher } from './matcher.ts'
import { type ParsedPattern, parsePattern } from './parse.ts'

export interface PatternMatch {
  intent: string
  /** Share of the sentence that it covers. */
  coverage: number
  entities: PredictedEntity[]
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

  /** Returns all matching patterns, each with its highest coverage. */
  match(text: string, entities: readonly PredictedEntity[], work: WorkBudget): PatternMatch[] {
    if (this.#patterns.length === 0) return []
    const units = unitsOf(text, this.#rules)
    const explicit = new Map([...this.#any].map(([name, phrases]) => [name, phrases.find(units)] as const))
    const matcher = new Matcher({ text, entities, ends: units.map(({ end }) => end), explicit }, work)
    return this.#patterns.flatMap(({ intent, parsed }) => {
      const best = matcher.best(parsed)
      return best ? [{ intent, ...best }] : []
    })
  }
}
