import type { AppDocument } from '../document.ts'
import { loadModel, type Prediction, predict, type Query, train } from '../index.ts'

export const modelOf = async (app: AppDocument) => loadModel(await train(app))
export const ask = async (app: AppDocument, query: string, more: Omit<Query, 'query'> = {}): Promise<Prediction> =>
  predict(await modelOf(app), { query, ...more })
export const named = ({ entities }: Prediction, name: string): string[] =>
  entities.filter((entity) => entity.name === name).map(({ text }) => text)
export const scoreOf = ({ intents }: Prediction, name: string): number =>
  intents.find((intent) => intent.name === name)?.score ?? 0

/** A language without the encoder, which would hide the effect of features. */
export const culture = 'fr-fr'
