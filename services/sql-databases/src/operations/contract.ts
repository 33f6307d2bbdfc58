import { extensions, named, Type } from '@icosa/contract'
import { listOf, resourceFields } from '@icosa/dialects/arm'
import { api } from '../databases/contract.ts'

const { get, inGroup } = api
const optional = Type.Optional
const DateTime = Type.String({ format: 'date-time' })

const fields = {
  serverName: Type.String(),
  operation: Type.String(),
  operationFriendlyName: Type.String(),
  percentComplete: optional(Type.Integer()),
  startTime: DateTime,
  state: Type.String({ description: 'Pending, InProgress, Succeeded, Failed or Cancelled.' }),
  errorDescription: optional(Type.String()),
  isCancellable: Type.Boolean(),
}

const DatabaseOperation = named('DatabaseOperation', {
  ...resourceFields,
  properties: named('DatabaseOperationProperties', { databaseName: Type.String(), ...fields }),
})

const ElasticPoolOperation = named('ElasticPoolOperation', {
  ...resourceFields,
  properties: named('ElasticPoolOperationProperties', { elasticPoolName: Type.String(), ...fields }),
})

/** Beyond the specification. */
export const databaseOperations = extensions({
  listByDatabase: get(inGroup('/servers/{serverName}/databases/{databaseName}/operations'), {
    summary: 'Read the latest operation on a database.',
    replies: { 200: listOf('DatabaseOperationListResult', DatabaseOperation) },
  }),
})

export const poolOperations = extensions({
  listByElasticPool: get(inGroup('/servers/{serverName}/elasticPools/{elasticPoolName}/operations'), {
    summary: 'Read the latest operation on an elastic pool, if any.',
    replies: { 200: listOf('ElasticPoolOperationListResult', ElasticPoolOperation) },
  }),
})
