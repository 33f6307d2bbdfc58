import { extension, having, named, oneOf, readOnly, type Static, Type, writable } from '@icosa/contract'
import { listOf, Tags, trackedFields } from '@icosa/dialects/arm'
import { api, LicenseType, Size, Sku } from '../databases/contract.ts'

const { get, put, patch, delete: remove, inGroup } = api
const optional = Type.Optional
const capacity = Type.Number({ minimum: 0, maximum: 100_000 })

const ElasticPoolProperties = named('ElasticPoolProperties', {
  creationDate: readOnly(optional(Type.String({ format: 'date-time' }))),
  licenseType: optional(LicenseType),
  maxConnections: extension(optional(Type.Integer({ minimum: 1, maximum: 100_000 }))),
  maxSizeBytes: optional(Size),
  perDatabaseSettings: optional(
    named('ElasticPoolPerDatabaseSettings', { minCapacity: optional(capacity), maxCapacity: optional(capacity) }),
  ),
  state: readOnly(optional(oneOf('Creating', 'Ready', 'Disabled'))),
  zoneRedundant: optional(Type.Boolean()),
})

export const ElasticPool = named('ElasticPool', {
  ...trackedFields,
  location: Type.String({ pattern: '^[A-Za-z0-9 ._()-]{1,100}$' }),
  kind: readOnly(optional(Type.String())),
  properties: optional(ElasticPoolProperties),
  sku: optional(Sku),
})
export interface ElasticPool extends Static<typeof ElasticPool> {}

const PropertiesInput = writable(ElasticPoolProperties)
export interface PoolPropertiesInput extends Static<typeof PropertiesInput> {}

const ElasticPoolInput = having(writable(ElasticPool), { properties: optional(PropertiesInput) })
export interface PoolInput extends Static<typeof ElasticPoolInput> {}

const ElasticPoolUpdate = named('ElasticPoolUpdate', {
  properties: optional(PropertiesInput),
  sku: optional(Sku),
  tags: optional(Tags),
})
export interface PoolUpdate extends Static<typeof ElasticPoolUpdate> {}

const path = '/servers/{serverName}/elasticPools/{elasticPoolName}'

/** Beyond the specification, which lists the databases of a pool but cannot create one. */
export const pools = {
  listByServer: get(inGroup('/servers/{serverName}/elasticPools'), {
    summary: 'List the elastic pools of a server.',
    query: { $skipToken: optional(Type.String({ maxLength: 2000 })) },
    replies: { 200: listOf('ElasticPoolListResult', ElasticPool) },
    extension: true,
  }),
  get: get(inGroup(path), { summary: 'Read an elastic pool.', replies: { 200: ElasticPool }, extension: true }),
  createOrUpdate: put(inGroup(path), {
    summary: 'Create or change an elastic pool. Continues in the background if the limits of its databases change.',
    body: ElasticPoolInput,
    replies: { 200: ElasticPool, 201: ElasticPool, 202: null },
    extension: true,
  }),
  update: patch(inGroup(path), {
    summary: 'Change the sku, the limits or the tags of an elastic pool.',
    body: ElasticPoolUpdate,
    replies: { 200: ElasticPool, 202: null },
    extension: true,
  }),
  delete: remove(inGroup(path), {
    summary: 'Delete an elastic pool without databases.',
    replies: { 200: null, 204: null },
    extension: true,
  }),
}
