import type { PredictedEntity, Prediction } from '../engine/results.ts'

type Json = Record<string, unknown>

/** Prediction in API version 2: a list of entities, whose ends are inclusive. */
export function toOlderAnswer({ query, topIntent, intents, entities }: Prediction, isVerbose: boolean) {
  const scores = intents.map(({ name, score }) => ({ intent: name, score }))
  const composites = entities.filter(({ kind, children }) => kind === 'composite' && children.length > 0)
  return {
    query,
    topScoringIntent: scores.find(({ intent }) => intent === topIntent) ?? { intent: topIntent, score: 0 },
    ...(isVerbose && { intents: scores }),
    entities: entities.flatMap(flat),
    ...(composites.length > 0 && {
      compositeEntities: composites.map(({ name, text, children }) => ({
        parentType: name,
        value: text,
        children: children.map((child) => ({ type: (child.instance ?? child).type, value: child.text })),
      })),
    }),
  }
}

function flat(entity: PredictedEntity): Json[] {
  const { text, start, length, score, role, children } = entity
  const { type, kind, resolution } = entity.instance ?? entity
  const json: Json = {
    entity: text.toLowerCase(),
    type,
    startIndex: start,
    endIndex: start + length - 1,
    ...(score !== undefined && { score }),
    ...(resolution !== undefined && { resolution: resolutionOf(kind, resolution) }),
    ...(role !== undefined && { role }),
  }
  return [json, ...children.flatMap(flat)]
}

/** Version 2 has an object where version 3 has a list or a value. */
function resolutionOf(kind: PredictedEntity['kind'], resolution: unknown): unknown {
  if (kind === 'list') return { values: resolution }
  return typeof resolution === 'object' && resolution !== null ? resolution : { value: String(resolution) }
}
