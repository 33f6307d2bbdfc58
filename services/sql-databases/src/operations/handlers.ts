import { implement, notFound, type OperationState, ok } from '@icosa/kernel'
import { api } from '../databases/contract.ts'
import { databaseId } from '../databases/scope.ts'
import * as databases from '../databases/store.ts'
import * as pools from '../pools/store.ts'
import { idOfPool } from '../pools/view.ts'
import { databaseOperations as ofDatabases, poolOperations as ofPools } from './contract.ts'

const states: Readonly<Record<OperationState['status'], string>> = {
  pending: 'Pending',
  running: 'InProgress',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

/** Display names of jobs. */
const friendlyNames: Readonly<Record<string, string>> = {
  create: 'CREATE DATABASE',
  restore: 'RESTORE DATABASE',
  scale: 'ALTER DATABASE',
  pause: 'PAUSE DATABASE',
  resume: 'RESUME DATABASE',
  upgrade: 'UPGRADE DATA WAREHOUSE',
  remove: 'DROP DATABASE',
  'resize-pool': 'ALTER ELASTIC POOL',
}

export const databaseOperations = implement(ofDatabases, {
  async listByDatabase({ params }, { db, caller, operations }) {
    const row = (await databases.find(db, caller.tenant, params)) ?? notFound('database', params.databaseName)
    const state = await operations.find(row.operation)
    const { databaseName, serverName } = row
    return ok({ value: state ? [toOperation(databaseId(row), 'databases', state, { databaseName, serverName })] : [] })
  },
})

export const poolOperations = implement(ofPools, {
  async listByElasticPool({ params }, { db, caller, operations }) {
    const row = (await pools.find(db, caller.tenant, params)) ?? notFound('elastic pool', params.elasticPoolName)
    const state = row.operation === null ? undefined : await operations.find(row.operation)
    const { elasticPoolName, serverName } = row
    return ok({
      value: state ? [toOperation(idOfPool(row), 'elasticPools', state, { elasticPoolName, serverName })] : [],
    })
  },
})

function toOperation<Names extends object>(resource: string, kind: string, state: OperationState, names: Names) {
  const { id, status, progress, createdAt, error } = state
  return {
    id: `${resource}/operations/${id}`,
    name: id,
    type: `${api.namespace}/servers/${kind}/operations`,
    properties: {
      ...names,
      operation: state.kind,
      operationFriendlyName: friendlyNames[state.kind] ?? state.kind,
      ...(progress !== null && { percentComplete: Math.round(progress * 100) }),
      startTime: createdAt.toISOString(),
      state: states[status],
      ...(error && { errorDescription: error.message }),
      isCancellable: false, // only a DELETE replaces a running operation
    },
  }
}
