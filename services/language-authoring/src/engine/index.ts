/** The engine of language understanding: a document in, a model out; a model and a query in, a prediction out. */
import { Model } from './predict.ts'
import type { Prediction, Query } from './results.ts'

export type * from './document.ts'
export { type RegexProblem, regexProblem } from './hits/regexes.ts'
export { parsePattern } from './patterns/parse.ts'
export type { Model } from './predict.ts'
export type * from './results.ts'
export { type TrainOptions, train } from './train.ts'

export function loadModel(bytes: Uint8Array): Model {
  return new Model(bytes)
}

/** Computes for some milliseconds, with datetimeV2 for some tens of them: on a thread that may be held for so long. */
export function predict(model: Model, query: Query): Prediction {
  return model.predict(query)
}
