import { implement, ok, type ReadingContext } from '@icosa/kernel'
import { findChild, modelOf } from '../content/find.ts'
import type { PredictedEntity, Prediction } from '../engine/results.ts'
import * as logs from '../prediction/log-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { badArgument } from '../shapes/failures.ts'
import { type At, readVersion } from '../versions/edit.ts'
import type { WholeVersion } from '../versions/store.ts'
import { suggestions as contract } from './contract.ts'
import * as store from './store.ts'
import { tokensOf } from './tokens.ts'
import { toPredicted } from './view.ts'

/** Logged queries to consider. */
const maxTexts = 500

interface Candidate {
  readonly text: string
  readonly prediction: Prediction
}

/** Predicts logged queries that are not labelled yet. */
async function candidates(
  context: ReadingContext<ServiceRuntime>,
  { appId }: At,
  version: WholeVersion,
): Promise<Candidate[]> {
  const { db, caller, runtime, signal } = context
  const { model, uid } = version
  if (model === null) return badArgument('The version was never trained: suggestions need a trained model.')
  const texts = await logs.texts(db, caller.tenant, appId, maxTexts)
  const labelled = await store.idsOf(db, caller.tenant, uid, texts)
  const unlabelled = texts.filter((text) => !labelled.has(text))
  const predictions = await runtime.predictor.predictAll(
    caller.tenant,
    model,
    unlabelled.map((query) => ({ query })),
    signal,
  )
  return unlabelled.map((text, index) => ({ text, prediction: predictions[index] as Prediction }))
}

/** Margin of the best intent: labels are most useful where it is small. */
const certainty = ({ prediction: { intents } }: Candidate) => (intents[0]?.score ?? 0) - (intents[1]?.score ?? 0)

const toSuggestions = (all: readonly Candidate[], take: number) =>
  all
    .toSorted((a, b) => certainty(a) - certainty(b))
    .slice(0, take)
    .map(({ text, prediction }) => ({
      text,
      tokenizedText: tokensOf(text).map((token) => token.text),
      ...toPredicted(text, prediction),
    }))

const has = (entities: readonly PredictedEntity[], name: string): boolean =>
  entities.some((entity) => entity.name === name || has(entity.children, name))

export const suggestions = implement<typeof contract, ServiceRuntime>(contract, {
  async ofIntent({ params, query }, context) {
    const version = await readVersion(context, params)
    const { name } = modelOf(version.content, 'intent', params.intentId)
    const all = await candidates(context, params, version)
    return ok(
      toSuggestions(
        all.filter(({ prediction }) => prediction.intents.slice(0, 2).some((intent) => intent.name === name)),
        query.take,
      ),
    )
  },

  async ofEntity({ params, query }, context) {
    const version = await readVersion(context, params)
    const { content } = version
    const { name } = findChild(content, params.entityId)?.child ?? modelOf(content, 'entity', params.entityId)
    const all = await candidates(context, params, version)
    return ok(
      toSuggestions(
        all.filter(({ prediction }) => has(prediction.entities, name)),
        query.take,
      ),
    )
  },
})
