import { download, extensions, named, Type, withDefault } from '@icosa/contract'
import { api, DateTime, Name, OperationStatus, Page, Uuid, VersionName } from '../shapes/contract.ts'
import { AppFile, ImportHeaders } from '../versions/contract.ts'

const at = '/apps/{appId}' as const

const Endpoint = named('Endpoint', {
  versionId: Type.String(),
  isStaging: Type.Boolean(),
  endpointUrl: Type.String(),
  region: Type.Nullable(Type.String()),
  assignedEndpointKey: Type.Nullable(Type.String()),
  endpointRegion: Type.Nullable(Type.String()),
  failedRegions: Type.Nullable(Type.String()),
  publishedDateTime: DateTime,
})

const App = named('ApplicationInfoResponse', {
  id: Uuid,
  name: Type.String(),
  description: Type.String(),
  culture: Type.String(),
  usageScenario: Type.String(),
  domain: Type.String(),
  versionsCount: Type.Integer(),
  createdDateTime: DateTime,
  endpoints: Type.Record(Endpoint),
  endpointHitsCount: Type.Integer(),
  activeVersion: Type.String(),
})

const Text = Type.String({ maxLength: 1_000 })
const text = Type.Optional(Text)
const flag = Type.Optional(Type.Boolean())

export const apps = {
  list: api.get('/apps/', {
    summary: 'List your apps, oldest first.',
    query: Page,
    replies: { 200: Type.Array(App) },
    extension: true,
  }),
  add: api.post('/apps/', {
    summary: 'Make an app with a first version that knows the intent None.',
    body: named('ApplicationCreateObject', {
      name: Name,
      culture: Type.String({ maxLength: 20 }),
      description: text,
      domain: text,
      usageScenario: text,
      initialVersionId: Type.Optional(VersionName),
    }),
    replies: { 201: Uuid },
    extension: true,
  }),
  import: api.post('/apps/import', {
    summary: 'Make an app from a file of the original: JSON of any schema version, or .lu.',
    query: Type.Object({ appName: Type.Optional(Name) }),
    body: AppFile,
    replies: { 201: Uuid },
    replyHeaders: ImportHeaders,
    extension: true,
  }),
  get: api.get(at, { summary: 'Read an app.', replies: { 200: App }, extension: true }),
  ...extensions({
    update: api.put(at, {
      summary: 'Change the name or the description of an app.',
      body: named('ApplicationUpdateObject', { name: Type.Optional(Name), description: text }),
      replies: { 200: OperationStatus },
    }),
    delete: api.delete(at, {
      summary: 'Delete an app with all its versions. One that is published needs `force`.',
      query: Type.Object({ force: withDefault(Type.Boolean(), false) }),
      replies: { 200: OperationStatus },
    }),
    listEndpoints: api.get(`${at}/endpoints`, {
      summary: 'The addresses at which an app answers, by slot.',
      replies: { 200: Type.Record(Type.String()) },
    }),
    publish: api.post(`${at}/publish`, {
      summary: 'Answer questions with what a version has learnt.',
      body: named('ApplicationPublishObject', { versionId: Type.String({ maxLength: 100 }), isStaging: flag }),
      replies: { 201: Endpoint },
    }),
    getSettings: api.get(`${at}/settings`, {
      summary: 'Whether keys of others may ask an app.',
      replies: { 200: named('ApplicationSettings', { id: Uuid, public: Type.Boolean() }) },
    }),
    updateSettings: api.put(`${at}/settings`, {
      summary: 'Let keys of others ask an app, or not.',
      body: named('ApplicationSettingUpdateObject', { public: flag }),
      replies: { 200: OperationStatus },
    }),
    getPublishSettings: api.get(`${at}/publishsettings`, {
      summary: 'What is done beside the prediction.',
      replies: {
        200: named('PublishSettings', {
          id: Uuid,
          sentimentAnalysis: Type.Boolean(),
          speech: Type.Boolean(),
          spellChecker: Type.Boolean(),
        }),
      },
    }),
    updatePublishSettings: api.put(`${at}/publishsettings`, {
      summary: 'Choose what is done beside the prediction, from the next publishing on.',
      body: named('PublishSettingUpdateObject', { sentimentAnalysis: flag, speech: flag, spellChecker: flag }),
      replies: { 200: OperationStatus },
    }),
    downloadQueryLogs: api.get(`${at}/querylogs`, {
      summary: 'What was asked of an app lately, where callers let it be kept: as CSV.',
      replies: { 200: download({ types: ['text/csv'] }) },
    }),
    listSupportedCultures: api.get('/apps/cultures', {
      summary: 'The languages that an app may be written in.',
      replies: { 200: Type.Array(named('AvailableCulture', { name: Type.String(), code: Type.String() })) },
    }),
    listDomains: api.get('/apps/domains', {
      summary: 'What an app may be about.',
      replies: { 200: Type.Array(Type.String()) },
    }),
    listUsageScenarios: api.get('/apps/usagescenarios', {
      summary: 'What an app may be for.',
      replies: { 200: Type.Array(Type.String()) },
    }),
  }),
}

const Email = Type.String({ minLength: 3, maxLength: 320 })

export const permissions = extensions({
  list: api.get(`${at}/permissions`, {
    summary: 'Who owns an app, and the addresses of those who work on it.',
    replies: { 200: named('UserAccessList', { owner: Type.String(), emails: Type.Array(Type.String()) }) },
  }),
  add: api.post(`${at}/permissions`, {
    summary: 'Note the address of somebody who works on an app.',
    body: named('UserCollaborator', { email: Email }),
    replies: { 200: OperationStatus },
  }),
  delete: api.delete(`${at}/permissions`, {
    summary: 'Strike out the address of somebody who worked on an app.',
    body: named('UserCollaborator', { email: Email }),
    replies: { 200: OperationStatus },
  }),
  update: api.put(`${at}/permissions`, {
    summary: 'Replace the addresses of those who work on an app.',
    body: named('CollaboratorsArray', { emails: Type.Array(Email, { maxItems: 100 }) }),
    replies: { 200: OperationStatus },
  }),
})
