import { randomUUID } from 'node:crypto'
import { type AnyJob, accepted, type Context, Failure } from '@icosa/kernel'
import type { DatabaseJobs } from '../provisioning/jobs.ts'
import type { Status } from './contract.ts'
import { databaseId } from './scope.ts'
import type { DatabaseRow, Work } from './store.ts'
import * as store from './store.ts'

/** How a database gets its first content. */
export function creationOf(
  { source, restoreTime }: Pick<DatabaseRow, 'source' | 'restoreTime'>,
  { create, restore }: DatabaseJobs,
) {
  if (restoreTime !== null) return { job: restore, status: 'Restoring' } as const
  return { job: create, status: source === null ? 'Creating' : 'Copying' } as const
}

/** Starts an operation on a database. One that is still running is interrupted. */
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

/** Returns a running operation that already makes the requested change. */
export const underWay = ({ operation }: DatabaseRow) => accepted(undefined, { id: operation })

/** Whether the database exists on the host, and is not being deleted. */
export const isOnHost = ({ status }: DatabaseRow) =>
  !['Creating', 'Copying', 'Restoring', 'Inaccessible', 'Shutdown'].includes(status)

/** Rejects an operation that the database's status does not allow. */
export function busy({ databaseName, status }: DatabaseRow): never {
  const advice =
    status === 'Inaccessible'
      ? 'repeat the PUT that created it, or delete it'
      : 'wait until the current operation has ended'
  throw new Failure('conflict', `The database '${databaseName}' is ${status}: ${advice}.`, {
    code: 'ConflictingDatabaseOperation',
  })
}
