import type { EntityKind, PredictedEntity, Prediction } from '../engine/results.ts'
import { resolvedValue } from './resolution.ts'

export interface Shown {
  /** Where entities are, and who found them. */
  readonly isVerbose: boolean
  /** Not the best intent alone. */
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

/** What was found, as bots of the third interface read it. */
export function toAnswer({ query, topIntent, intents, entities }: Prediction, shown: Shown) {
  const best = intents.filter(({ name }) => shown.hasAllIntents || name === topIntent)
  return {
    query,
    prediction: {
      topIntent,
      intents: Object.fromEntries(best.map(({ name, score }) => [name, { score }])),
      entities: grouped(entities, shown.isVerbose),
    },
  }
}

/** Entities by what they are called: the role, where there is one. */
function grouped(entities: readonly PredictedEntity[], isVerbose: boolean): Json {
  const byKey = Object.groupBy(entities, ({ role, name }) => role ?? name)
  const all = Object.entries(byKey) as [string, PredictedEntity[]][]
  const values = Object.fromEntries(all.map(([key, some]) => [key, some.map((one) => shownAs(one, isVerbose))]))
  const instances = Object.fromEntries(all.map(([key, some]) => [key, some.map(instanceOf)]))
  return isVerbose && entities.length > 0 ? { ...values, $instance: instances } : values
}

function shownAs(entity: PredictedEntity, isVerbose: boolean): unknown {
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
