import { extension, named, oneOf, type Static, Type, writable } from '@icosa/contract'
import { arm, listOf, resourceFields } from '@icosa/dialects/arm'
import { versions } from '../names.ts'

export const api = arm(
  'Vendor.ApiManagement',
  {
    serviceName: Type.String({
      pattern: '^[a-zA-Z](?:[a-zA-Z0-9-]{0,48}[a-zA-Z0-9])?$',
      description: '1 to 50 letters, digits and -, with a letter first and no - at the end',
    }),
    diagnosticId: Type.String({
      pattern: '^[^*#&+:<>?/\\p{C}]{1,80}$',
      description: '1 to 80 printable characters other than * # & + : < > ? /',
    }),
  },
  versions[0],
)
const { get, head, put, patch, delete: remove, inGroup } = api

const Masked = named('DataMaskingEntity', {
  value: Type.String({ minLength: 1, maxLength: 256, description: 'The name of a header or query parameter.' }),
  mode: oneOf('Mask', 'Hide'),
})

const Message = named('HttpMessageDiagnostic', {
  headers: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
  body: Type.Optional(
    named('BodyDiagnosticSettings', { bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: 8192 })) }),
  ),
  dataMasking: extension(
    Type.Optional(
      named('DataMasking', {
        headers: Type.Optional(Type.Array(Masked, { maxItems: 100 })),
        queryParams: Type.Optional(Type.Array(Masked, { maxItems: 100 })),
      }),
    ),
  ),
})
export interface MessageSettings extends Static<typeof Message> {}

const Pipeline = named('PipelineDiagnosticSettings', {
  request: Type.Optional(Message),
  response: Type.Optional(Message),
})

const loggerId = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The destination of log lines, as named by the caller.',
})

const options = {
  alwaysLog: Type.Optional(oneOf('allErrors')),
  sampling: Type.Optional(
    named('SamplingSettings', {
      samplingType: Type.Optional(oneOf('fixed')),
      percentage: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    }),
  ),
  frontend: Type.Optional(Pipeline),
  backend: Type.Optional(Pipeline),
  httpCorrelationProtocol: Type.Optional(oneOf('None', 'Legacy', 'W3C')),
  verbosity: Type.Optional(oneOf('verbose', 'information', 'error')),
  logClientIp: Type.Optional(Type.Boolean()),
  // Of later API versions.
  operationNameFormat: extension(Type.Optional(oneOf('Name', 'Url'))),
  metrics: extension(Type.Optional(Type.Boolean())),
}

export const Settings = named('DiagnosticContractProperties', { loggerId, ...options })
export interface Settings extends Static<typeof Settings> {}

export const SettingsUpdate = named('DiagnosticUpdateProperties', { loggerId: Type.Optional(loggerId), ...options })
export interface SettingsUpdate extends Static<typeof SettingsUpdate> {}

const Diagnostic = named('DiagnosticContract', { ...resourceFields, properties: Settings })
export interface Diagnostic extends Static<typeof Diagnostic> {}

// Optional here, although update and delete require it: its absence is reported only to callers who may see the diagnostic.
const ifMatch = (description: string) =>
  Type.Object({ 'if-match': Type.Optional(Type.String({ maxLength: 2000, description })) })

const collection = inGroup('/service/{serviceName}/diagnostics')
const item = inGroup('/service/{serviceName}/diagnostics/{diagnosticId}')

export const diagnostics = {
  list: get(collection, {
    summary: 'List the diagnostics of a service.',
    query: {
      $filter: Type.Optional(Type.String({ maxLength: 2000, description: "Such as startswith(name, 'app')." })),
      $top: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 2147483647,
          description: 'The size of a page: 100 by default, at most 1000.',
        }),
      ),
      $skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
      $skipToken: Type.Optional(Type.String({ maxLength: 2000 })),
    },
    replies: { 200: listOf('DiagnosticCollection', Diagnostic) },
  }),
  getEntityTag: head(item, { summary: 'Read the ETag of a diagnostic.', replies: { 200: null } }),
  get: get(item, { summary: 'Read a diagnostic.', replies: { 200: Diagnostic } }),
  createOrUpdate: put(item, {
    summary: 'Create or replace a diagnostic.',
    headers: ifMatch('Replace only if it still has this ETag.'),
    body: writable(Diagnostic),
    replies: { 200: Diagnostic, 201: Diagnostic },
  }),
  update: patch(item, {
    summary: 'Change some settings of a diagnostic. API versions after 2019-12-01 return 200 with the diagnostic.',
    headers: ifMatch('Required: the ETag of the diagnostic that you read, or * for any version.'),
    body: Type.Object({ properties: Type.Optional(SettingsUpdate) }),
    // The specification has 204 alone; clients of later versions require 200 with the entity.
    replies: { 200: extension(Type.Union(Diagnostic)), 204: null },
  }),
  delete: remove(item, {
    summary: 'Delete a diagnostic.',
    headers: ifMatch('Required: the ETag of the diagnostic that you read, or * for any version.'),
    replies: { 200: null, 204: null },
  }),
}
