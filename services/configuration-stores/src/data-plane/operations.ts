import { listKeys, listKeyValues, listLabels, listRevisions } from '../key-values/lists.ts'
import { deleteKeyValue, getKeyValue, lockKeyValue, putKeyValue, unlockKeyValue } from '../key-values/operations.ts'
import { createSnapshot, getOperation, getSnapshot, listSnapshots, updateSnapshot } from '../snapshots/operations.ts'
import type { Right } from './access.ts'
import type { Handle } from './call.ts'

/** One thing that can be done with a store's data. What can be read can also be asked for with HEAD. */
export interface DataOperation {
  readonly id: string
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly right: Right
  readonly handle: Handle
}

const reads = (id: string, path: string, handle: Handle): DataOperation => ({
  id,
  method: 'GET',
  path,
  right: 'Read',
  handle,
})
const writes = (id: string, method: 'PUT' | 'PATCH' | 'DELETE', path: string, handle: Handle): DataOperation => ({
  id,
  method,
  path,
  right: 'Write',
  handle,
})

export const dataOperations: readonly DataOperation[] = [
  reads('KeyValues_Get', '/kv/:key', getKeyValue),
  reads('KeyValues_List', '/kv', listKeyValues),
  writes('KeyValues_Put', 'PUT', '/kv/:key', putKeyValue),
  writes('KeyValues_Delete', 'DELETE', '/kv/:key', deleteKeyValue),
  writes('Locks_Put', 'PUT', '/locks/:key', lockKeyValue),
  writes('Locks_Delete', 'DELETE', '/locks/:key', unlockKeyValue),
  reads('Keys_List', '/keys', listKeys),
  reads('Labels_List', '/labels', listLabels),
  reads('Revisions_List', '/revisions', listRevisions),
  reads('Snapshots_Get', '/snapshots/:name', getSnapshot),
  reads('Snapshots_List', '/snapshots', listSnapshots),
  writes('Snapshots_Create', 'PUT', '/snapshots/:name', createSnapshot),
  writes('Snapshots_Update', 'PATCH', '/snapshots/:name', updateSnapshot),
  reads('Operations_Get', '/operations', getOperation),
]
