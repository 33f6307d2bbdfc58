import { named, Type } from '@icosa/contract'
import { api, at, Name, OperationStatus, Page } from '../shapes/contract.ts'

const phrases = Type.String({ maxLength: 500_000 })
const flag = Type.Optional(Type.Boolean())
const maxBytes = 4 * 1024 * 1024

const feature = {
  id: Type.Integer(),
  name: Type.String(),
  isActive: Type.Boolean(),
  enabledForAllModels: Type.Boolean(),
}
const PhraseList = named('PhraseListFeatureInfo', {
  ...feature,
  phrases: Type.String(),
  isExchangeable: Type.Boolean(),
})
const PatternFeature = named('PatternFeatureInfo', { ...feature, pattern: Type.String() })

const phraseList = `${at}/phraselists/{phraselistId}` as const

export const phraseLists = {
  add: api.post(`${at}/phraselists`, {
    summary: 'Create a phrase list: comma-separated words that models learn to treat alike.',
    body: named('PhraselistCreateObject', {
      name: Name,
      phrases,
      isExchangeable: flag,
      enabledForAllModels: flag,
    }),
    maxBytes,
    replies: { 201: Type.Integer() },
  }),
  list: api.get(`${at}/phraselists`, {
    summary: 'List the phrase lists of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(PhraseList) },
  }),
  get: api.get(phraseList, { summary: 'Read a phrase list.', replies: { 200: PhraseList } }),
  update: api.put(phraseList, {
    summary: 'Change a phrase list, or enable or disable it.',
    body: named('PhraselistUpdateObject', {
      name: Type.Optional(Name),
      phrases: Type.Optional(phrases),
      isActive: flag,
      isExchangeable: flag,
      enabledForAllModels: flag,
    }),
    maxBytes,
    replies: { 200: OperationStatus },
  }),
  delete: api.delete(phraseList, { summary: 'Delete a phrase list.', replies: { 200: OperationStatus } }),
  listFeatures: api.get(`${at}/features`, {
    summary: 'List the phrase lists and the pattern features of a version, oldest first.',
    query: Page,
    replies: {
      200: named('FeaturesResponseObject', {
        phraselistFeatures: Type.Array(PhraseList),
        patternFeatures: Type.Array(PatternFeature),
      }),
    },
  }),
}

const Relation = named('ModelFeatureInformation', {
  featureName: Type.Optional(Type.Nullable(Type.String({ maxLength: 200 }))),
  modelName: Type.Optional(Type.Nullable(Type.String({ maxLength: 200 }))),
  isRequired: flag,
})

/** Features of `intents/{intentId}` or `entities/{entityId}`. */
function relationsContract<const Owner extends string>(owner: Owner, options: { readonly extension?: true }) {
  const all = `${at}/${owner}/features` as const
  return {
    list: api.get(all, { summary: 'List the features of a model.', replies: { 200: Type.Array(Relation) } }),
    add: api.post(all, {
      summary: 'Add a phrase list or another model as a feature of a model.',
      body: Relation,
      replies: { 200: OperationStatus },
    }),
    replace: api.put(all, {
      summary: 'Replace the features of a model.',
      body: Type.Array(Relation, { maxItems: 100 }),
      replies: { 200: OperationStatus },
      ...options,
    }),
    delete: api.delete(all, {
      summary: 'Remove a feature from a model.',
      body: Relation,
      replies: { 200: OperationStatus },
      ...options,
    }),
  }
}

export const intentFeatures = relationsContract('intents/{intentId}', {})
export const entityFeatures = relationsContract('entities/{entityId}', { extension: true })
