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
      summary: 'Give a version another name.',
      body: NewVersion,
      replies: { 200: OperationStatus },
    }),
    delete: api.delete(`${at}/`, {
      summary: 'Delete a version that is not published.',
      replies: { 200: OperationStatus },
    }),
    clone: api.post(`${at}/clone`, {
      summary: 'Copy a version with all that is in it.',
      body: NewVersion,
      replies: { 201: Type.String() },
    }),
    import: api.post('/apps/{appId}/versions/import', {
      summary: 'Make a version from a file of the original: JSON of any schema version, or .lu.',
      query: Type.Object({ versionId: Type.Optional(VersionName) }),
      body: AppFile,
      replies: { 201: Type.String() },
      replyHeaders: ImportHeaders,
    }),
    export: api.get(`${at}/export`, {
      summary: 'A version as a file of the original: JSON, or .lu if that can say all of it.',
      query: Type.Object({ format: Type.Optional(oneOf('json', 'lu')) }),
      replies: { 200: AppDocument },
      media: ['text/plain'],
    }),
    deleteUnlabelledUtterance: api.delete(`${at}/suggest`, {
      summary: 'Forget what was asked of the app in these words: it is not suggested for review any more.',
      body: Type.String({ maxLength: 500 }),
      replies: { 200: OperationStatus },
    }),
  }),
}
