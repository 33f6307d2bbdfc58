import { bytes, extensions, named, oneOf, Type } from '@icosa/contract'
import { api, at, DateTime, OperationStatus, Page, VersionName } from '../shapes/contract.ts'

const VersionInfo = named('VersionInfo', {
  version: Type.String(),
  createdDateTime: DateTime,
  lastModifiedDateTime: DateTime,
  lastTrainedDateTime: Type.Optional(Type.Nullable(DateTime)),
  lastPublishedDateTime: Type.Optional(Type.Nullable(DateTime)),
  endpointUrl: Type.Nullable(Type.String()),
  assignedEndpointKey: Type.Nullable(Type.Record(Type.String())),
  externalApiKeys: Type.Nullable(Type.Record(Type.String())),
  intentsCount: Type.Integer(),
  entitiesCount: Type.Integer(),
  endpointHitsCount: Type.Integer(),
  trainingStatus: oneOf('NeedsTraining', 'InProgress', 'Trained'),
})

const NewVersion = named('TaskUpdateObject', { version: VersionName })

/** A file of the original: JSON of any schema version, or text in the .lu format. */
export const AppFile = bytes({
  types: ['application/json', 'text/plain', 'application/octet-stream'],
  maxBytes: 16 * 1024 * 1024,
})

/** Unknown members of an imported file. */
export const ImportHeaders = Type.Object({ 'icosa-unknown-members': Type.Optional(Type.String()) })

/** An app in the original's format. */
export const AppDocument = Type.Record(Type.Unknown())

export const versions = {
  list: api.get('/apps/{appId}/versions', {
    summary: 'List the versions of an app, oldest first.',
    query: Page,
    replies: { 200: Type.Array(VersionInfo) },
    extension: true,
  }),
  get: api.get(`${at}/`, { summary: 'Read a version.', replies: { 200: VersionInfo }, extension: true }),
  ...extensions({
    update: api.put(`${at}/`, {
      summary: 'Rename a version.',
      body: NewVersion,
      replies: { 200: OperationStatus },
    }),
    delete: api.delete(`${at}/`, {
      summary: 'Delete a version that is not published.',
      replies: { 200: OperationStatus },
    }),
    clone: api.post(`${at}/clone`, {
      summary: 'Clone a version.',
      body: NewVersion,
      replies: { 201: Type.String() },
    }),
    import: api.post('/apps/{appId}/versions/import', {
      summary: 'Import a version from JSON of any schema version, or from .lu.',
      query: Type.Object({ versionId: Type.Optional(VersionName) }),
      body: AppFile,
      replies: { 201: Type.String() },
      replyHeaders: ImportHeaders,
    }),
    export: api.get(`${at}/export`, {
      summary: 'Export a version as JSON, or as .lu if that format can represent it.',
      query: Type.Object({ format: Type.Optional(oneOf('json', 'lu')) }),
      replies: { 200: AppDocument },
      media: ['text/plain'],
    }),
    deleteUnlabelledUtterance: api.delete(`${at}/suggest`, {
      summary: 'Delete a logged query, so that it is no longer suggested for review.',
      body: Type.String({ maxLength: 500 }),
      replies: { 200: OperationStatus },
    }),
  }),
}
