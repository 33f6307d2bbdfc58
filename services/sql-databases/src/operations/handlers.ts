import { implement, notFound, type OperationState, ok } from '@icosa/kernel'
import { api } from '../databases/contract.ts'
import { databaseId } from '../databases/scope.ts'
import { type DatabaseRow, find } from '../databases/store.ts'
import { databaseOperations as contract } from './contract.ts'

const states: Readonly<Record<OperationState['status'], string>> = {
  pending: 'Pending',
  running: 'InProgress',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

/** What the jobs are called, for callers. */
const friendly: Readonly<Record<string, string>> = {
  create: 'CREATE DATABASE',
  scale: 'ALTER DATABASE',
  pause: 'PAUSE DATABASE',
  resume: 'RESUME DATABASE',
  upgrade: 'UPGRADE DATA WAREHOUSE',
  remove: 'DROP DATABASE',
}

export const databaseOperations = implement(contract, {
  async listByDatabase({ params }, { db, caller, operations }) {
    const row = (await find(db, caller.tenant, params)) ?? notFound('database', params.databaseName)
    const state = await operations.find(row.operation)
    return ok({ value: state ? [toOperation(row, state)] : [] })
  },
})

function toOperation(row: DatabaseRow, { id, kind, status, progress, createdAt, error }: OperationState) {
  return {
    id: `${databaseId(row)}/operations/${id}`,
    name: id,
    type: `${api.namespace}/servers/databases/operations`,
    properties: {
      databaseName: row.databaseName,
      serverName: row.serverName,
      operation: kind,
      operationFriendlyName: friendly[kind] ?? kind,
      ...(progress !== null && { percentComplete: Math.round(progress * 100) }),
      startTime: createdAt.toISOString(),
      state: states[status],
      ...(error && { errorDescription: error.message }),
      isCancellable: false, // a DELETE takes the place of what is under way
    },
  }
}
