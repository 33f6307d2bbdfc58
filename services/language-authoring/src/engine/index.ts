/** The language understanding engine: trains models from documents, and predicts from models and queries. */
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

/** Blocks the thread for some milliseconds, with datetimeV2 for some tens of them. */
export function predict(model: Model, query: Query): Prediction {
  return model.predict(query)
}
