import { randomUUID } from 'node:crypto'
import { type AnyJob, accepted, type Context, Failure } from '@icosa/kernel'
import type { Status } from './contract.ts'
import { databaseId } from './scope.ts'
import type { DatabaseRow, Work } from './store.ts'
import * as store from './store.ts'

/** Begins work on a database. Whatever was begun before and has not ended will find itself interrupted. */
export async function begin(
  { db, operations }: Pick<Context, 'db' | 'operations'>,
  row: DatabaseRow,
  job: AnyJob<Work>,
  status: Status,
) {
  const work: Work = { id: row.id, work: randomUUID() }
  const operation = await operations.start(job, work, { resource: databaseId(row) })
  await store.begin(db, work, status, operation.id)
  return accepted(undefined, operation)
}

/** The operation that already does what is asked for. */
export const underWay = ({ operation }: DatabaseRow) => accepted(undefined, { id: operation })

/** Whether there is a database: not one that has yet to come, nor one that is going. */
export const isOnHost = ({ status }: DatabaseRow) =>
  !['Creating', 'Copying', 'Restoring', 'Inaccessible', 'Shutdown'].includes(status)

/** Refuses what cannot be done to a database as it is. */
export function busy({ databaseName, status }: DatabaseRow): never {
  const advice =
    status === 'Inaccessible'
      ? 'repeat the PUT that created it, or delete it'
      : 'wait until the current operation has ended'
  throw new Failure('conflict', `The database '${databaseName}' is ${status}: ${advice}.`, {
    code: 'ConflictingDatabaseOperation',
  })
}
