import { type Context, Failure, notFound } from '@icosa/kernel'
import { holdServer } from '../servers/existing.ts'
import type { DatabaseScope } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'

/** Nobody else changes it until the answer is written. */
export async function locked({ db, caller }: Context, scope: DatabaseScope): Promise<DatabaseRow> {
  return (await store.findLocked(db, caller.tenant, scope)) ?? notFound('database', scope.databaseName)
}

/** For changes to names or to the members of pools. */
export async function lockedWithServer(context: Context, scope: DatabaseScope): Promise<DatabaseRow> {
  await holdServer(context, scope)
  return locked(context, scope)
}

export function alreadyExists({ databaseName }: DatabaseRow): never {
  throw new Failure('alreadyExists', `A database '${databaseName}' already exists: choose another name.`, {
    code: 'DatabaseNameInUse',
  })
}
