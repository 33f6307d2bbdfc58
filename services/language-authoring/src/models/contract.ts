import { extensions, named, Type } from '@icosa/contract'
import { api, at, custom, EntityRole, info, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const ModelInfo = named('ModelInfoResponse', {
  ...info,
  roles: Type.Optional(Type.Array(EntityRole)),
  children: Type.Optional(Type.Array(Type.Record(Type.Unknown()))),
  subLists: Type.Optional(Type.Array(Type.Record(Type.Unknown()))),
  regexPattern: Type.Optional(Type.String()),
  explicitList: Type.Optional(Type.Array(Type.Record(Type.Unknown()))),
  ...custom,
})

const CustomModel = named('CustomPrebuiltModel', { ...info, roles: Type.Optional(Type.Array(EntityRole)), ...custom })
const DomainItem = named('PrebuiltDomainItem', {
  name: Type.String(),
  description: Type.String(),
  examples: Type.String(),
})
const Domain = named('PrebuiltDomain', {
  name: Type.String(),
  culture: Type.String(),
  description: Type.String(),
  examples: Type.String(),
  intents: Type.Array(DomainItem),
  entities: Type.Array(DomainItem),
})

export const models = {
  list: api.get(`${at}/models`, {
    summary: 'List the intents and entities of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(ModelInfo) },
  }),
  listExamples: api.get(`${at}/models/{modelId}/examples`, {
    summary: 'List the utterances of an intent or entity.',
    query: Page,
    replies: { 200: Type.Array(named('LabelTextObject', { id: Type.Integer(), text: Type.String() })) },
  }),
}

const domain = { domainName: Type.String({ minLength: 1, maxLength: 100 }) }
const DomainModel = named('PrebuiltDomainModelCreateObject', { ...domain, modelName: Type.String({ maxLength: 200 }) })

/** Models copied from domains of the original. */
export const domains = extensions({
  listAvailable: api.get('/apps/customprebuiltdomains', {
    summary: 'List the prebuilt domains.',
    replies: { 200: Type.Array(Domain) },
  }),
  listAvailableForCulture: api.get('/apps/customprebuiltdomains/{culture}', {
    summary: 'List the prebuilt domains for a culture.',
    replies: { 200: Type.Array(Domain) },
  }),
  addApp: api.post('/apps/customprebuiltdomains', {
    summary: 'Create an app from a prebuilt domain.',
    body: named('PrebuiltDomainCreateObject', { ...domain, culture: Type.String({ maxLength: 20 }) }),
    replies: { 201: Uuid },
  }),
  add: api.post(`${at}/customprebuiltdomains`, {
    summary: 'Copy a prebuilt domain into a version.',
    body: named('PrebuiltDomainCreateBaseObject', domain),
    replies: { 201: Type.Array(Uuid) },
  }),
  delete: api.delete(`${at}/customprebuiltdomains/{domainName}`, {
    summary: 'Delete the models that were copied from a prebuilt domain.',
    replies: { 200: OperationStatus },
  }),
  listIntents: api.get(`${at}/customprebuiltintents`, {
    summary: 'List the intents that were copied from prebuilt domains.',
    replies: { 200: Type.Array(CustomModel) },
  }),
  addIntent: api.post(`${at}/customprebuiltintents`, {
    summary: 'Copy an intent of a prebuilt domain.',
    body: DomainModel,
    replies: { 201: Uuid },
  }),
  listEntities: api.get(`${at}/customprebuiltentities`, {
    summary: 'List the entities that were copied from prebuilt domains.',
    replies: { 200: Type.Array(CustomModel) },
  }),
  addEntity: api.post(`${at}/customprebuiltentities`, {
    summary: 'Copy an entity of a prebuilt domain.',
    body: DomainModel,
    replies: { 201: Uuid },
  }),
  listModels: api.get(`${at}/customprebuiltmodels`, {
    summary: 'List all models that were copied from prebuilt domains.',
    replies: { 200: Type.Array(CustomModel) },
  }),
})
