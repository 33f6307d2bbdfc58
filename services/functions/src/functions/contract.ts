import { named, readOnly, Type } from '@icosa/contract'
import { enumeration, Operation, paging, UpdateMask } from '@icosa/dialects/google'
import { api, oneFunction, parent } from '../api/contract.ts'

const optional = Type.Optional
const text = (maxLength: number) => optional(Type.String({ maxLength }))
const timestamp = readOnly(optional(Type.String({ format: 'date-time' })))
const outputString = readOnly(optional(Type.String()))
const variables = optional(Type.Record(Type.String({ maxLength: 32_768 })))

export const environments = ['ENVIRONMENT_UNSPECIFIED', 'GEN_1', 'GEN_2'] as const
export const states = ['STATE_UNSPECIFIED', 'ACTIVE', 'FAILED', 'DEPLOYING', 'DELETING', 'UNKNOWN'] as const

const StateMessage = named('StateMessage', {
  severity: enumeration('SEVERITY_UNSPECIFIED', 'ERROR', 'WARNING', 'INFO'),
  type: Type.String(),
  message: Type.String(),
})

export const StorageSource = named('StorageSource', {
  bucket: Type.String({ maxLength: 222 }),
  object: Type.String({ maxLength: 1024 }),
  generation: optional(Type.String({ pattern: '^\\d{1,19}$' })),
})

const Source = named('Source', {
  storageSource: optional(StorageSource),
  repoSource: optional(Type.Record(Type.Unknown())),
  gitUri: text(2048),
})

const BuildConfig = named('BuildConfig', {
  build: outputString,
  runtime: optional(Type.String({ maxLength: 100, description: 'As GET runtimes lists them.' })),
  entryPoint: text(200),
  source: optional(Source),
  sourceProvenance: readOnly(
    optional(named('SourceProvenance', { resolvedStorageSource: optional(StorageSource), gitUri: text(2048) })),
  ),
  environmentVariables: variables,
  dockerRegistry: optional(enumeration('DOCKER_REGISTRY_UNSPECIFIED', 'CONTAINER_REGISTRY', 'ARTIFACT_REGISTRY')),
  dockerRepository: text(1024),
  workerPool: text(1024),
})

const SecretEnvVar = named('SecretEnvVar', {
  key: Type.String({ minLength: 1, maxLength: 200 }),
  projectId: text(100),
  secret: Type.String({ minLength: 1, maxLength: 255 }),
  version: text(100),
})

const SecretVolume = named('SecretVolume', {
  mountPath: Type.String({ minLength: 1, maxLength: 200 }),
  projectId: text(100),
  secret: Type.String({ minLength: 1, maxLength: 255 }),
  versions: optional(
    Type.Array(named('SecretVersion', { version: text(100), path: text(200) }), {
      maxItems: 50,
      description: 'By default, the latest version in a file named after the secret.',
    }),
  ),
})

const ServiceConfig = named('ServiceConfig', {
  service: outputString,
  revision: outputString,
  uri: outputString,
  allTrafficOnLatestRevision: optional(Type.Boolean()),
  availableCpu: optional(Type.String({ maxLength: 20, description: 'In processors: 0.5, 1 or 500m.' })),
  availableMemory: optional(Type.String({ maxLength: 20, description: 'In bytes, or with a unit: 256M, 1Gi.' })),
  environmentVariables: variables,
  ingressSettings: optional(
    enumeration('INGRESS_SETTINGS_UNSPECIFIED', 'ALLOW_ALL', 'ALLOW_INTERNAL_ONLY', 'ALLOW_INTERNAL_AND_GCLB'),
  ),
  maxInstanceCount: optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  maxInstanceRequestConcurrency: optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  minInstanceCount: optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  timeoutSeconds: optional(Type.Integer({ minimum: 0, maximum: 3600 })),
  secretEnvironmentVariables: optional(Type.Array(SecretEnvVar, { maxItems: 100 })),
  secretVolumes: optional(Type.Array(SecretVolume, { maxItems: 20 })),
  securityLevel: optional(enumeration('SECURITY_LEVEL_UNSPECIFIED', 'SECURE_ALWAYS', 'SECURE_OPTIONAL')),
  serviceAccountEmail: text(300),
  vpcConnector: text(1024),
  vpcConnectorEgressSettings: optional(
    enumeration('VPC_CONNECTOR_EGRESS_SETTINGS_UNSPECIFIED', 'PRIVATE_RANGES_ONLY', 'ALL_TRAFFIC'),
  ),
})

const EventFilter = named('EventFilter', {
  attribute: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.String({ maxLength: 1024 }),
  operator: text(50),
})

const EventTrigger = named('EventTrigger', {
  trigger: outputString,
  eventType: optional(Type.String({ minLength: 1, maxLength: 200 })),
  eventFilters: optional(Type.Array(EventFilter, { maxItems: 20 })),
  pubsubTopic: text(300),
  retryPolicy: optional(enumeration('RETRY_POLICY_UNSPECIFIED', 'RETRY_POLICY_DO_NOT_RETRY', 'RETRY_POLICY_RETRY')),
  channel: text(1024),
  serviceAccountEmail: text(300),
  triggerRegion: text(100),
})

export const FunctionResource = named('Function', {
  name: text(300),
  description: text(1024),
  environment: optional(enumeration(...environments)),
  labels: optional(Type.Record(Type.String({ maxLength: 63 }))),
  kmsKeyName: text(1024),
  buildConfig: optional(BuildConfig),
  serviceConfig: optional(ServiceConfig),
  eventTrigger: optional(EventTrigger),
  state: readOnly(optional(enumeration(...states))),
  stateMessages: readOnly(optional(Type.Array(StateMessage))),
  createTime: timestamp,
  updateTime: timestamp,
  url: outputString,
  satisfiesPzs: readOnly(optional(Type.Boolean())),
  upgradeInfo: readOnly(optional(Type.Record(Type.Unknown()))),
})

export const functions = {
  listFunctions: api.get(`${parent}/functions`, {
    specified: '/v2/{parent}/functions',
    summary: 'List the functions of a project in a location, or in all (-).',
    query: Type.Object({ ...paging(1000), filter: text(2_000), orderBy: text(500) }),
    replies: {
      200: named('ListFunctionsResponse', {
        functions: Type.Array(FunctionResource),
        nextPageToken: optional(Type.String()),
        unreachable: Type.Array(Type.String()),
      }),
    },
  }),
  createFunction: api.post(`${parent}/functions`, {
    specified: '/v2/{parent}/functions',
    summary: 'Create a function. The operation is done once it is built and ready.',
    query: Type.Object({
      functionId: optional(
        Type.String({
          maxLength: 100,
          description: '4 to 63 lower-case letters, digits or -, starting with a letter. Generated if omitted.',
        }),
      ),
    }),
    body: FunctionResource,
    replies: { 200: Operation },
  }),
  getFunction: api.get(oneFunction, {
    summary: 'Read a function.',
    replies: { 200: FunctionResource },
    extension: true,
  }),
  updateFunction: api.patch(oneFunction, {
    specified: '/v2/{name}',
    summary: 'Change a function. The old revision serves until the new one is ready.',
    query: Type.Object({ updateMask: optional(UpdateMask) }),
    body: FunctionResource,
    replies: { 200: Operation },
  }),
  deleteFunction: api.delete(oneFunction, {
    specified: '/v2/{name}',
    summary: 'Delete a function, its revisions and its trigger.',
    replies: { 200: Operation },
  }),
}
