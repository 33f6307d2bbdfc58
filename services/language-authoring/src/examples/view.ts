import type { Content, Label } from '../content/content.ts'
import type { PredictedEntity, Prediction } from '../engine/results.ts'
import { labelNamesById } from '../exchange/labels.ts'
import type { Example } from './store.ts'
import { tokenRange, tokensOf } from './tokens.ts'

const flattened = (entities: readonly PredictedEntity[]): PredictedEntity[] =>
  entities.flatMap((entity) => [entity, ...flattened(entity.children)])

export function toPredicted(text: string, prediction?: Prediction) {
  const tokens = tokensOf(text)
  return {
    intentPredictions: prediction?.intents.map(({ name, score }) => ({ name, score })) ?? [],
    entityPredictions: flattened(prediction?.entities ?? []).map(({ name, start, length, text: phrase }) => ({
      entityName: name,
      ...tokenRange(tokens, start, start + length - 1),
      phrase,
    })),
  }
}

interface ShownLabel {
  readonly entityName: string
  readonly startTokenIndex: number
  readonly endTokenIndex: number
  readonly role?: string
  readonly roleId?: string
  readonly children?: Record<string, unknown>[]
}

export function exampleViewer(content: Content, isNested: boolean) {
  const names = labelNamesById(content)
  const intents = new Map(content.models.map(({ id, name }) => [id, name]))

  return ({ id, text, intent, labels }: Example, prediction?: Prediction) => {
    const tokens = tokensOf(text)
    const toLabels = ({ model, start, end, role, children = [] }: Label): ShownLabel[] => {
      const label: ShownLabel = {
        entityName: names.get(model)?.name ?? '',
        ...tokenRange(tokens, start, end),
        ...(role !== undefined && { role: names.get(model)?.roles.get(role) ?? '', roleId: role }),
      }
      const nested = children.flatMap(toLabels)
      if (!isNested) return [label, ...nested]
      return [{ ...label, children: nested as unknown as Record<string, unknown>[] }]
    }
    return {
      id,
      text,
      tokenizedText: tokens.map((token) => token.text),
      intentLabel: intents.get(intent) ?? '',
      entityLabels: labels.flatMap(toLabels),
      ...toPredicted(text, prediction),
    }
  }
}
