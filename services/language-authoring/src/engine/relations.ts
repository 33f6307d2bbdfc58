import type { Child, Feature } from './document.ts'
import type { Skeleton } from './hits/finder.ts'

/** A model that others may be related to, with the features that were given to it. */
export interface Related {
  /** Hits of these phrase lists and models speak for it. */
  names: string[]
  /** It is only where one of each of these is. */
  required: string[]
}

export function relatedOf(features: readonly Feature[] | undefined, instanceOf?: string | null): Related {
  const list = Array.isArray(features) ? features : []
  const nameOf = (feature: Feature): string[] =>
    [feature.featureName ?? feature.modelName ?? ''].filter((name) => name !== '')
  return {
    names: [...new Set([...list.flatMap(nameOf), ...(instanceOf ? [instanceOf] : [])])],
    required: list.filter(({ isRequired }) => isRequired).flatMap(nameOf),
  }
}

/** Those of an entity and of its parts: what speaks for a part speaks for the whole around it. */
export function relatedOfAll({ features, instanceOf, children }: Child): Related {
  const own = relatedOf(features, instanceOf)
  const parts = (children ?? []).flatMap((child) => relatedOfAll(child).names)
  return { ...own, names: [...new Set([...own.names, ...parts])] }
}

/** Phrase lists that speak for every model. */
export const globalPhrases = (app: Skeleton): Set<string> =>
  new Set(
    app.phraselists.filter((list) => list.activated && list.enabledForAllModels !== false).map(({ name }) => name),
  )

/** Models whose hits are only known when they are run: these are run while training, too. */
export function relatedModels(app: Skeleton): Set<string> {
  const names = new Set<string>()
  const take = (features: readonly Feature[] | undefined, instanceOf?: string | null) => {
    for (const name of relatedOf(features, instanceOf).names) names.add(name)
  }
  for (const intent of app.intents) take(intent.features)
  const walk = (children: Skeleton['entities'][number]['children']) => {
    for (const child of children ?? []) {
      take(child.features, child.instanceOf)
      walk(child.children)
    }
  }
  for (const entity of app.entities) {
    take(entity.features, entity.instanceOf)
    walk(entity.children)
  }
  for (const composite of app.composites) {
    take(composite.features)
    for (const { name } of composite.children) names.add(name)
  }
  for (const hierarchical of app.hierarchicals) take(hierarchical.features)
  return names
}
