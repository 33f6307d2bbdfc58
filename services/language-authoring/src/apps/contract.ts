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
    summary: 'Create an app, with an initial version that contains the intent None.',
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
    summary: 'Import an app from JSON of any schema version, or from .lu.',
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
      summary: 'Delete an app and all its versions. A published app requires `force`.',
      query: Type.Object({ force: withDefault(Type.Boolean(), false) }),
      replies: { 200: OperationStatus },
    }),
    listEndpoints: api.get(`${at}/endpoints`, {
      summary: 'List the prediction endpoints of an app by slot.',
      replies: { 200: Type.Record(Type.String()) },
    }),
    publish: api.post(`${at}/publish`, {
      summary: 'Publish a trained version of an app.',
      body: named('ApplicationPublishObject', { versionId: Type.String({ maxLength: 100 }), isStaging: flag }),
      replies: { 201: Endpoint },
    }),
    getSettings: api.get(`${at}/settings`, {
      summary: 'Read whether an app is public: whether other keys may query it.',
      replies: { 200: named('ApplicationSettings', { id: Uuid, public: Type.Boolean() }) },
    }),
    updateSettings: api.put(`${at}/settings`, {
      summary: 'Make an app public or private: allow or deny queries by other keys.',
      body: named('ApplicationSettingUpdateObject', { public: flag }),
      replies: { 200: OperationStatus },
    }),
    getPublishSettings: api.get(`${at}/publishsettings`, {
      summary: 'Return the publish settings of an app.',
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
      summary: 'Change the publish settings of an app, effective with the next publish.',
      body: named('PublishSettingUpdateObject', { sentimentAnalysis: flag, speech: flag, spellChecker: flag }),
      replies: { 200: OperationStatus },
    }),
    downloadQueryLogs: api.get(`${at}/querylogs`, {
      summary: 'Download the recent queries of an app as CSV, as far as callers allowed logging.',
      replies: { 200: download({ types: ['text/csv'] }) },
    }),
    listSupportedCultures: api.get('/apps/cultures', {
      summary: 'List the supported cultures.',
      replies: { 200: Type.Array(named('AvailableCulture', { name: Type.String(), code: Type.String() })) },
    }),
    listDomains: api.get('/apps/domains', {
      summary: 'List the domains that an app can declare.',
      replies: { 200: Type.Array(Type.String()) },
    }),
    listUsageScenarios: api.get('/apps/usagescenarios', {
      summary: 'List the usage scenarios that an app can declare.',
      replies: { 200: Type.Array(Type.String()) },
    }),
  }),
}

const Email = Type.String({ minLength: 3, maxLength: 320 })

export const permissions = extensions({
  list: api.get(`${at}/permissions`, {
    summary: 'Read the owner and the collaborators of an app.',
    replies: { 200: named('UserAccessList', { owner: Type.String(), emails: Type.Array(Type.String()) }) },
  }),
  add: api.post(`${at}/permissions`, {
    summary: 'Add a collaborator to an app by e-mail address.',
    body: named('UserCollaborator', { email: Email }),
    replies: { 200: OperationStatus },
  }),
  delete: api.delete(`${at}/permissions`, {
    summary: 'Remove a collaborator from an app by e-mail address.',
    body: named('UserCollaborator', { email: Email }),
    replies: { 200: OperationStatus },
  }),
  update: api.put(`${at}/permissions`, {
    summary: 'Replace the collaborators of an app.',
    body: named('CollaboratorsArray', { emails: Type.Array(Email, { maxItems: 100 }) }),
    replies: { 200: OperationStatus },
  }),
})
