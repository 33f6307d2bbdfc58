import { type Context, Failure, notFound } from '@icosa/kernel'
import { checkNames, type DatabaseScope } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'

/** Nobody else changes it until the answer is written. */
export async function locked({ db, caller }: Context, params: DatabaseScope): Promise<DatabaseRow> {
  const scope = checkNames(params)
  return (await store.findLocked(db, caller.tenant, scope)) ?? notFound('database', scope.databaseName)
}

/** For changes that touch names or places in pools. */
export async function lockedWithServer(context: Context, params: DatabaseScope): Promise<DatabaseRow> {
  await store.lockServer(context.db, context.caller.tenant, checkNames(params), context.clock.now())
  return locked(context, params)
}

export function alreadyThere({ databaseName }: DatabaseRow): never {
  throw new Failure('alreadyExists', `There is a database '${databaseName}' already: choose another name.`, {
    code: 'DatabaseNameInUse',
  })
}
