import { type Context, Failure, notFound } from '@icosa/kernel'
import { lockServer } from '../servers/existing.ts'
import type { DatabaseScope } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'

/** Locks a database until the transaction ends. */
export async function lockDatabase({ db, caller }: Context, scope: DatabaseScope): Promise<DatabaseRow> {
  return (await store.findLocked(db, caller.tenant, scope)) ?? notFound('database', scope.databaseName)
}

/** For changes of names or of pool members. */
export async function lockDatabaseAndServer(context: Context, scope: DatabaseScope): Promise<DatabaseRow> {
  await lockServer(context, scope)
  return lockDatabase(context, scope)
}

export function alreadyExists({ databaseName }: DatabaseRow): never {
  throw new Failure('alreadyExists', `A database '${databaseName}' already exists: choose another name.`, {
    code: 'DatabaseNameInUse',
  })
}
