import { serve } from '@icosa/compute/serve'
import { loadModel, type Model, predict } from '../engine/index.ts'
import type { Prediction, Query } from '../engine/results.ts'

export interface Question {
  /** The name of the model, which never means another one. */
  readonly model: string
  /** The model itself, if the thread has said that it lacks it. */
  readonly bytes?: Uint8Array
  readonly queries: readonly Query[]
}

/** Nothing if the thread lacks the model. */
export type Answer = readonly Prediction[] | undefined

/** The models that were used lately, the oldest first. */
const models = new Map<string, Model>()

/** Those that were not used for longest make room; the one that is needed now always has it. */
function keep(name: string, model: Model, maxBytes: number): void {
  models.set(name, model)
  let bytes = [...models.values()].reduce((sum, one) => sum + one.bytes, 0)
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
  keep(name, model, Number(maxBytes))
  const answers: Prediction[] = []
  for (const query of queries) answers.push(await predict(model, query))
  return answers
})
