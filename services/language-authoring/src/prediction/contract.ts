import { bytes, extensions, named, operationsOf, Type } from '@icosa/contract'
import { dialect, params } from '../shapes/contract.ts'

export const predictionDialect = { ...dialect, version: '3.0' } as const
export const olderDialect = { ...dialect, version: '2.0' } as const

const api = operationsOf(predictionDialect, { at: '/prediction', params })
const slot = '/apps/{appId}/slots/{slotName}/predict' as const
const version = '/apps/{appId}/versions/{versionId}/predict' as const

const Text = Type.String({ minLength: 1, maxLength: 500 })
const flag = Type.Optional(Type.Boolean())
const options = { verbose: flag, 'show-all-intents': flag, log: flag }

const Question = named('PredictionRequest', {
  query: Text,
  options: Type.Optional(
    named('PredictionRequestOptions', {
      datetimeReference: Type.Optional(Type.String({ maxLength: 40 })),
      preferExternalEntities: flag,
    }),
  ),
  externalEntities: Type.Optional(
    Type.Array(
      named('ExternalEntity', {
        entityName: Type.String({ maxLength: 200 }),
        startIndex: Type.Integer({ minimum: 0, maximum: 500 }),
        entityLength: Type.Integer({ minimum: 1, maximum: 500 }),
        resolution: Type.Optional(Type.Unknown()),
        score: Type.Optional(Type.Number()),
      }),
      { maxItems: 100 },
    ),
  ),
  dynamicLists: Type.Optional(
    Type.Array(
      named('DynamicList', {
        listEntityName: Type.String({ maxLength: 200 }),
        requestLists: Type.Array(
          named('RequestList', {
            name: Type.Optional(Type.String({ maxLength: 200 })),
            canonicalForm: Type.String({ maxLength: 500 }),
            synonyms: Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 1_000 })),
          }),
          { maxItems: 1_000 },
        ),
      }),
      { maxItems: 20 },
    ),
  ),
})

const Answer = named('PredictionResponse', {
  query: Type.String(),
  prediction: named('Prediction', {
    topIntent: Type.String(),
    intents: Type.Record(named('Intent', { score: Type.Number() })),
    entities: Type.Record(Type.Unknown()),
  }),
})

const shared = { replies: { 200: Answer }, extension: true } as const
const inBody = { query: Type.Object(options), body: Question, reads: true, ...shared } as const
const inQuery = { query: Type.Object({ query: Text, ...options }), ...shared } as const

export const prediction = {
  getSlotPrediction: api.post(slot, { summary: 'Predict with the version published in a slot.', ...inBody }),
  getSlotPredictionGET: api.get(slot, { summary: 'Predict with the version published in a slot.', ...inQuery }),
  getVersionPrediction: api.post(version, { summary: 'Predict with a trained version.', ...inBody }),
  getVersionPredictionGET: api.get(version, { summary: 'Predict with a trained version.', ...inQuery }),
}

const older = operationsOf(olderDialect, { at: '/v2', params })

const OlderAnswer = named('LuisResult', {
  query: Type.String(),
  topScoringIntent: named('IntentModel', { intent: Type.String(), score: Type.Number() }),
  intents: Type.Optional(Type.Array(named('IntentModel', { intent: Type.String(), score: Type.Number() }))),
  entities: Type.Array(Type.Record(Type.Unknown())),
  compositeEntities: Type.Optional(Type.Array(Type.Record(Type.Unknown()))),
})

const olderOptions = {
  timezoneOffset: Type.Optional(Type.Number({ minimum: -1_440, maximum: 1_440 })),
  verbose: flag,
  staging: flag,
  log: flag,
  spellCheck: flag,
}

/** The previous API, which older bots still use. */
export const olderPrediction = extensions({
  resolve: older.post('/apps/{appId}', {
    summary: 'Predict with a published app, using the older API.',
    query: Type.Object(olderOptions),
    body: bytes({ types: ['application/json', 'text/plain'], maxBytes: 8_192 }),
    reads: true,
    replies: { 200: OlderAnswer },
  }),
  resolveGET: older.get('/apps/{appId}', {
    summary: 'Predict with a published app, using the older API.',
    query: Type.Object({ q: Text, ...olderOptions }),
    replies: { 200: OlderAnswer },
  }),
})
