import type { Child, Feature } from './document.ts'
import type { Skeleton } from './hits/finder.ts'

/** Features of a model, by name. */
export interface Related {
  /** Phrase lists and models whose hits are features of it. */
  names: string[]
  /** A hit of each is a condition. */
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

/** Includes the features of parts, which are features of the whole. */
export function relatedOfAll({ features, instanceOf, children }: Child): Related {
  const own = relatedOf(features, instanceOf)
  const parts = (children ?? []).flatMap((child) => relatedOfAll(child).names)
  return { ...own, names: [...new Set([...own.names, ...parts])] }
}

/** Phrase lists that are features of every model. */
export const globalPhrases = (app: Skeleton): Set<string> =>
  new Set(
    app.phraselists.filter((list) => list.activated && list.enabledForAllModels !== false).map(({ name }) => name),
  )

/** Models that are features of others, and therefore also run in training. */
export function relatedModels(app: Skeleton): Set<string> {
  const names = new Set<string>()
  const addFeatures = (features: readonly Feature[] | undefined, instanceOf?: string | null) => {
    for (const name of relatedOf(features, instanceOf).names) names.add(name)
  }
  for (const intent of app.intents) addFeatures(intent.features)
  const walk = (children: Skeleton['entities'][number]['children']) => {
    for (const child of children ?? []) {
      addFeatures(child.features, child.instanceOf)
      walk(child.children)
    }
  }
  for (const entity of app.entities) {
    addFeatures(entity.features, entity.instanceOf)
    walk(entity.children)
  }
  for (const composite of app.composites) {
    addFeatures(composite.features)
    for (const { name } of composite.children) names.add(name)
  }
  for (const hierarchical of app.hierarchicals) addFeatures(hierarchical.features)
  return names
}
