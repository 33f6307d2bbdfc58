import { extensions, named, readOnly, Type } from '@icosa/contract'
import { listOf, resourceFields } from '@icosa/dialects/arm'
import { api, Sku } from '../databases/contract.ts'

const { get, inGroup } = api
const optional = Type.Optional
const DateTime = Type.String({ format: 'date-time' })
const page = { $skipToken: optional(Type.String({ maxLength: 2000 })) }

const RestorableDroppedDatabase = named('RestorableDroppedDatabase', {
  ...resourceFields,
  location: readOnly(Type.String()),
  sku: readOnly(Type.Union(Sku)),
  properties: named('RestorableDroppedDatabaseProperties', {
    databaseName: Type.String(),
    edition: optional(Type.String()),
    serviceLevelObjective: Type.String(),
    elasticPoolName: optional(Type.String()),
    maxSizeBytes: Type.Integer(),
    creationDate: DateTime,
    deletionDate: DateTime,
    earliestRestoreDate: DateTime,
  }),
})

const RecoverableDatabase = named('RecoverableDatabase', {
  ...resourceFields,
  properties: named('RecoverableDatabaseProperties', {
    edition: optional(Type.String()),
    serviceLevelObjective: Type.String(),
    elasticPoolName: optional(Type.String()),
    lastAvailableBackupDate: DateTime,
  }),
})

/** Beyond the specification, which restores databases and cannot tell which. */
export const restorableDroppedDatabases = extensions({
  listByServer: get(inGroup('/servers/{serverName}/restorableDroppedDatabases'), {
    summary: 'List the deleted databases of a server that can be restored.',
    query: page,
    replies: { 200: listOf('RestorableDroppedDatabaseListResult', RestorableDroppedDatabase) },
  }),
  get: get(inGroup('/servers/{serverName}/restorableDroppedDatabases/{restorableDroppedDatabaseId}'), {
    summary: 'Read a deleted database that can be restored.',
    replies: { 200: RestorableDroppedDatabase },
  }),
})

export const recoverableDatabases = extensions({
  listByServer: get(inGroup('/servers/{serverName}/recoverableDatabases'), {
    summary: 'List the databases of a server that can be restored to their latest archived state.',
    query: page,
    replies: { 200: listOf('RecoverableDatabaseListResult', RecoverableDatabase) },
  }),
  get: get(inGroup('/servers/{serverName}/recoverableDatabases/{databaseName}'), {
    summary: 'Read up to when a database is archived.',
    replies: { 200: RecoverableDatabase },
  }),
})
