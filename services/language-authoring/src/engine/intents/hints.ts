import type { Skeleton } from '../hits/finder.ts'
import type { Hit } from '../hits/hit.ts'
import { globalPhrases, relatedOf } from '../relations.ts'
import type { Token } from '../text/tokens.ts'

/** Name of a hint that is limited to related intents. */
const related = (name: string): string => `r:${name}`

function relatedNames(app: Skeleton): Set<string> {
  return new Set(app.intents.flatMap(({ features }) => relatedOf(features).names))
}

/** Returns the hits of a sentence, and learned entities that are features of an intent. */
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

/** Returns the intents to which each related feature is limited. */
export function intentScopes(app: Skeleton, intents: readonly string[]): Map<string, Set<number>> {
  const scopes = new Map<string, Set<number>>()
  for (const intent of app.intents)
    for (const name of relatedOf(intent.features).names)
      scopes.set(related(name), (scopes.get(related(name)) ?? new Set()).add(intents.indexOf(intent.name)))
  return scopes
}

/** Removes words of phrase lists and related models, so that the classifier generalizes to all their values. */
export function maskedTokens(app: Skeleton, tokens: readonly Token[], hits: readonly Hit[]): Token[] | undefined {
  const names = new Set([...globalPhrases(app), ...relatedNames(app)])
  const relevant = hits.filter((hit) => names.has(hit.model))
  const remaining = tokens.filter((token) => !relevant.some((hit) => hit.start < token.end && token.start < hit.end))
  return remaining.length < tokens.length ? remaining : undefined
}
