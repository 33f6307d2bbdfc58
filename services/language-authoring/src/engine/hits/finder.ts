import type { AppDocument } from '../document.ts'
import { Prebuilts } from '../prebuilt/prebuilts.ts'
import type { Query } from '../results.ts'
import { textRules } from '../settings.ts'
import type { Phrases, TextRules } from '../text/phrases.ts'
import type { WorkBudget } from '../work.ts'
import type { Hit } from './hit.ts'
import { closedLists, dynamicLists, listHits, phraseHits, phraseLists } from './lists.ts'
import { Regexes } from './regexes.ts'

/** An app without its utterances: the part of a model that is not learned. */
export type Skeleton = Omit<AppDocument, 'utterances'>

/** Finds hits of lists, expressions, prebuilt entities and phrases. */
export class Finder {
  readonly rules: TextRules
  readonly #lists: ReturnType<typeof closedLists>
  readonly #phrases: Phrases<string>
  readonly #regexes: Regexes
  readonly #prebuilts: Prebuilts

  constructor(app: Skeleton) {
    this.rules = textRules(app)
    this.#lists = closedLists(app, this.rules)
    this.#phrases = phraseLists(app, this.rules)
    this.#regexes = new Regexes(app)
    this.#prebuilts = new Prebuilts(app)
  }

  find(text: string, query: Omit<Query, 'query'> = {}, prebuilts?: ReadonlySet<string>, work?: WorkBudget): Hit[] {
    return [
      ...listHits(text, this.rules, [this.#lists, dynamicLists(query.dynamicLists ?? [], this.rules)], work),
      ...this.#regexes.find(text, work),
      ...this.#prebuilts.find(text, query, prebuilts),
      ...phraseHits(text, this.rules, this.#phrases, work),
    ]
  }

  /** Runs the recognizers once, since their first use takes seconds. */
  warm(): void {
    this.#prebuilts.warm()
  }
}
