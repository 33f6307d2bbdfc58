import { serve } from '@icosa/compute/serve'
import { loadModel, type Model, predict } from '../engine/index.ts'
import type { Prediction, Query } from '../engine/results.ts'

export interface Question {
  /** Name of the model, which is immutable. */
  readonly model: string
  /** The model, if the thread does not have it. */
  readonly bytes?: Uint8Array
  readonly queries: readonly Query[]
}

/** Undefined if the thread does not have the model. */
export type Answer = readonly Prediction[] | undefined

/** Least recently used first. */
const models = new Map<string, Model>()

/** Evicts the least recently used models, but never the current one. */
function cacheModel(name: string, model: Model, maxBytes: number): void {
  models.set(name, model)
  let bytes = [...models.values()].reduce((sum, cached) => sum + cached.bytes, 0)
  for (const [other, { bytes: freed }] of models) {
    if (bytes <= maxBytes || other === name) return
    models.delete(other)
    bytes -= freed
  }
}

await serve((maxBytes) => async ({ model: name, bytes, queries }: Question): Promise<Answer> => {
  const model = models.get(name) ?? (bytes && loadModel(bytes))
  if (!model) return undefined
  models.delete(name)
  cacheModel(name, model, Number(maxBytes))
  const predictions: Prediction[] = []
  for (const query of queries) predictions.push(await predict(model, query))
  return predictions
})
