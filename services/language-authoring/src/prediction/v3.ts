import type { EntityKind, PredictedEntity, Prediction } from '../engine/results.ts'
import { resolvedValue } from './resolution.ts'

export interface ViewOptions {
  /** Includes positions and sources of entities. */
  readonly isVerbose: boolean
  /** Includes all intents, not only the best. */
  readonly hasAllIntents: boolean
}

const modelTypes: Readonly<Record<EntityKind, readonly [id: number, name: string]>> = {
  entity: [1, 'Entity Extractor'],
  prebuilt: [2, 'Prebuilt Entity Extractor'],
  hierarchical: [3, 'Hierarchical Entity Extractor'],
  composite: [4, 'Composite Entity Extractor'],
  list: [5, 'List Entity Extractor'],
  'pattern.any': [7, 'Pattern.Any Entity Extractor'],
  regex: [8, 'Regex Entity Extractor'],
}

type Json = Record<string, unknown>

/** Prediction in API version 3. */
export function toAnswer({ query, topIntent, intents, entities }: Prediction, options: ViewOptions) {
  const best = intents.filter(({ name }) => options.hasAllIntents || name === topIntent)
  return {
    query,
    prediction: {
      topIntent,
      intents: Object.fromEntries(best.map(({ name, score }) => [name, { score }])),
      entities: grouped(entities, options.isVerbose),
    },
  }
}

/** Groups entities by role, if there is one, or by name. */
function grouped(entities: readonly PredictedEntity[], isVerbose: boolean): Json {
  const byKey = Object.groupBy(entities, ({ role, name }) => role ?? name)
  const all = Object.entries(byKey) as [string, PredictedEntity[]][]
  const values = Object.fromEntries(all.map(([key, group]) => [key, group.map((entity) => toValue(entity, isVerbose))]))
  const instances = Object.fromEntries(all.map(([key, group]) => [key, group.map(instanceOf)]))
  return isVerbose && entities.length > 0 ? { ...values, $instance: instances } : values
}

function toValue(entity: PredictedEntity, isVerbose: boolean): unknown {
  if (entity.children.length > 0) return grouped(entity.children, isVerbose)
  return resolvedValue(entity.instance ?? entity)
}

function instanceOf(entity: PredictedEntity): Json {
  const { text, start, length, score, kind, role, source } = entity
  const [modelTypeId, modelType] = modelTypes[kind]
  return {
    ...(role !== undefined && { role }),
    type: (entity.instance ?? entity).type,
    text,
    startIndex: start,
    length,
    ...(score !== undefined && { score }),
    modelTypeId,
    modelType,
    recognitionSources: [
      source === 'external' ? 'externalEntities' : source === 'dynamic-list' ? 'dynamicList' : 'model',
    ],
  }
}
