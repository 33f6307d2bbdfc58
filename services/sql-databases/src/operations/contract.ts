import { named, Type } from '@icosa/contract'
import { listOf, resourceFields } from '@icosa/dialects/arm'
import { api } from '../databases/contract.ts'

const { get, inGroup } = api
const optional = Type.Optional
const DateTime = Type.String({ format: 'date-time' })

const DatabaseOperation = named('DatabaseOperation', {
  ...resourceFields,
  properties: named('DatabaseOperationProperties', {
    databaseName: Type.String(),
    serverName: Type.String(),
    operation: Type.String(),
    operationFriendlyName: Type.String(),
    percentComplete: optional(Type.Integer()),
    startTime: DateTime,
    state: Type.String({ description: 'Pending, InProgress, Succeeded, Failed or Cancelled.' }),
    errorDescription: optional(Type.String()),
    isCancellable: Type.Boolean(),
  }),
})

/** Beyond the specification. */
export const databaseOperations = {
  listByDatabase: get(inGroup('/servers/{serverName}/databases/{databaseName}/operations'), {
    summary: 'Read the latest operation on a database, whether it is under way or has ended.',
    replies: { 200: listOf('DatabaseOperationListResult', DatabaseOperation) },
    extension: true,
  }),
}
