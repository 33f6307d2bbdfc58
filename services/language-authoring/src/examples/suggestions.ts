import { implement, ok, type ReadingContext } from '@icosa/kernel'
import { findChild, modelOf } from '../content/find.ts'
import type { PredictedEntity, Prediction } from '../engine/results.ts'
import * as logs from '../prediction/log-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { badArgument } from '../shapes/failures.ts'
import { type At, read } from '../versions/edit.ts'
import type { WholeVersion } from '../versions/store.ts'
import { suggestions as contract } from './contract.ts'
import * as store from './store.ts'
import { tokensOf } from './tokens.ts'
import { toPredicted } from './view.ts'

/** Of what was asked, so many texts are looked at. */
const maxTexts = 500

interface Judged {
  readonly text: string
  readonly prediction: Prediction
}

/** What was asked and is not labelled yet, with what the version makes of it. */
async function asked(context: ReadingContext<ServiceRuntime>, { appId }: At, version: WholeVersion): Promise<Judged[]> {
  const { db, caller, runtime, signal } = context
  const { model, uid } = version
  if (model === null) return badArgument('The version was never trained: suggestions are what it makes of questions.')
  const texts = await logs.texts(db, caller.tenant, appId, maxTexts)
  const known = await store.idsOf(db, caller.tenant, uid, texts)
  const unlabelled = texts.filter((text) => !known.has(text))
  const predictions = await runtime.predictor.predictAll(
    caller.tenant,
    model,
    unlabelled.map((query) => ({ query })),
    signal,
  )
  return unlabelled.map((text, index) => ({ text, prediction: predictions[index] as Prediction }))
}

/** The closer the two best intents, the more a label would tell. */
const certainty = ({ prediction: { intents } }: Judged) => (intents[0]?.score ?? 0) - (intents[1]?.score ?? 0)

const shown = (all: readonly Judged[], take: number) =>
  all
    .toSorted((one, other) => certainty(one) - certainty(other))
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
    const version = await read(context, params)
    const { name } = modelOf(version.content, 'intent', params.intentId)
    const all = await asked(context, params, version)
    return ok(
      shown(
        all.filter(({ prediction }) => prediction.intents.slice(0, 2).some((one) => one.name === name)),
        query.take,
      ),
    )
  },

  async ofEntity({ params, query }, context) {
    const version = await read(context, params)
    const { content } = version
    const { name } = findChild(content, params.entityId)?.child ?? modelOf(content, 'entity', params.entityId)
    const all = await asked(context, params, version)
    return ok(
      shown(
        all.filter(({ prediction }) => has(prediction.entities, name)),
        query.take,
      ),
    )
  },
})
