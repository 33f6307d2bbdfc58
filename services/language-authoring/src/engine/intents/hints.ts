import type { Skeleton } from '../hits/finder.ts'
import type { Hit } from '../hits/hit.ts'
import { globalPhrases, relatedOf } from '../relations.ts'
import type { Token } from '../text/tokens.ts'

/** Only for the intents that are related to it. */
const related = (name: string): string => `r:${name}`

function relatedNames(app: Skeleton): Set<string> {
  return new Set(app.intents.flatMap(({ features }) => relatedOf(features).names))
}

/** What is in a sentence, for the classifier: hits, and the learnt entities that some intent is related to. */
export function hintsFor(app: Skeleton, hits: readonly Hit[], entities: readonly string[]): string[] {
  const everywhere = globalPhrases(app)
  const names = relatedNames(app)
  const hints = new Set<string>()
  for (const { kind, model } of hits) {
    if (kind !== 'phrases' ? kind !== 'prebuilt' : everywhere.has(model)) hints.add(model)
    if (names.has(model)) hints.add(related(model))
  }
  for (const entity of entities) if (names.has(entity)) hints.add(related(entity))
  return [...hints].sort()
}

/** Which intents a related feature may speak for. */
export function intentScopes(app: Skeleton, intents: readonly string[]): Map<string, Set<number>> {
  const scopes = new Map<string, Set<number>>()
  for (const intent of app.intents)
    for (const name of relatedOf(intent.features).names)
      scopes.set(related(name), (scopes.get(related(name)) ?? new Set()).add(intents.indexOf(intent.name)))
  return scopes
}

/** The sentence without the words that phrase lists and related models name: what is learnt from it holds for all their words. */
export function blindedTokens(app: Skeleton, tokens: readonly Token[], hits: readonly Hit[]): Token[] | undefined {
  const names = new Set([...globalPhrases(app), ...relatedNames(app)])
  const relevant = hits.filter((hit) => names.has(hit.model))
  const kept = tokens.filter((token) => !relevant.some((hit) => hit.start < token.end && token.start < hit.end))
  return kept.length < tokens.length ? kept : undefined
}
