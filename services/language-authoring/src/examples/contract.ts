import { extensions, named, oneOf, type Schema, Type, withDefault } from '@icosa/contract'
import { api, at, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const enableNestedChildren = withDefault(Type.Boolean(), false)
const nested = Type.Object({ enableNestedChildren })

const index = Type.Integer({ minimum: 0, maximum: 500 })

export interface SentLabel {
  readonly entityName: string
  readonly startCharIndex: number
  readonly endCharIndex: number
  readonly role?: string | null
  readonly children?: readonly SentLabel[] | null
}

/** The schema is not recursive; the handler validates children of children. */
const NewLabel = named('EntityLabelObject', {
  entityName: Type.String({ minLength: 1, maxLength: 401 }),
  startCharIndex: index,
  endCharIndex: index,
  role: Type.Optional(Type.Nullable(Type.String({ maxLength: 200 }))),
  children: Type.Optional(Type.Nullable(Type.Array(Type.Record(Type.Unknown()), { maxItems: 100 }))),
}) as Schema<SentLabel>

const NewExample = named('ExampleLabelObject', {
  text: Type.String({ minLength: 1, maxLength: 500 }),
  intentName: Type.String({ minLength: 1, maxLength: 200 }),
  entityLabels: Type.Optional(Type.Nullable(Type.Array(NewLabel, { maxItems: 200 }))),
})

/** In a batch, the handler validates each example. */
const BatchedExample = named('BatchedExampleLabelObject', {
  text: Type.String({ maxLength: 100_000 }),
  intentName: Type.Optional(Type.Nullable(Type.String({ maxLength: 100_000 }))),
  entityLabels: Type.Optional(Type.Nullable(Type.Array(NewLabel, { maxItems: 200 }))),
})

const Added = named('LabelExampleResponse', { UtteranceText: Type.String(), ExampleId: Type.Integer() })

const Batched = Type.Array(
  named('BatchLabelExample', {
    value: Type.Optional(Added),
    hasError: Type.Boolean(),
    error: Type.Optional(named('ExampleError', { code: oneOf('FAILED'), message: Type.String() })),
  }),
)

const tokens = { startTokenIndex: Type.Integer(), endTokenIndex: Type.Integer() }
const EntityLabel = named('EntityLabel', {
  entityName: Type.String(),
  ...tokens,
  role: Type.Optional(Type.String()),
  roleId: Type.Optional(Uuid),
  children: Type.Optional(Type.Array(Type.Record(Type.Unknown()))),
})

export const predicted = {
  intentPredictions: Type.Array(named('IntentPrediction', { name: Type.String(), score: Type.Number() })),
  entityPredictions: Type.Array(
    named('EntityPrediction', { entityName: Type.String(), ...tokens, phrase: Type.String() }),
  ),
}

const LabeledUtterance = named('LabeledUtterance', {
  id: Type.Integer(),
  text: Type.String(),
  tokenizedText: Type.Array(Type.String()),
  intentLabel: Type.String(),
  entityLabels: Type.Array(EntityLabel),
  ...predicted,
})

export const examples = {
  add: api.post(`${at}/example`, {
    summary:
      'Add an utterance labelled with its intent and entities. Replaces the labels of an existing utterance with the same text.',
    query: nested,
    body: NewExample,
    replies: { 201: Added },
  }),
  batch: api.post(`${at}/examples`, {
    summary: 'Add several labelled utterances. Invalid ones are reported; the others are added.',
    query: nested,
    body: Type.Array(BatchedExample, { maxItems: 500 }),
    maxBytes: 4 * 1024 * 1024,
    replies: { 201: Batched, 207: Batched },
  }),
  list: api.get(`${at}/examples`, {
    summary: 'List utterances with their labels and their predictions by the last training, oldest first.',
    query: Type.Object({ ...Page.properties, enableNestedChildren }),
    replies: { 200: Type.Array(LabeledUtterance) },
  }),
  delete: api.delete(`${at}/examples/{exampleId}`, {
    summary: 'Delete an utterance.',
    replies: { 200: OperationStatus },
  }),
}

const Suggestion = named('SuggestionExample', {
  text: Type.String(),
  tokenizedText: Type.Array(Type.String()),
  ...predicted,
})
const take = Type.Object({ take: withDefault(Type.Integer({ minimum: 0, maximum: 500 }), 100) })

export const suggestions = extensions({
  ofIntent: api.get(`${at}/intents/{intentId}/suggest`, {
    summary: 'List logged queries that may belong to an intent, least certain first.',
    query: take,
    replies: { 200: Type.Array(Suggestion) },
  }),
  ofEntity: api.get(`${at}/entities/{entityId}/suggest`, {
    summary: 'List logged queries that may contain an entity, least certain first.',
    query: take,
    replies: { 200: Type.Array(Suggestion) },
  }),
})
