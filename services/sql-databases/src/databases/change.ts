import { type Context, Failure, invalid, ok, registerResource } from '@icosa/kernel'
import type { SqlSettings } from '../settings.ts'
import { begin, busy, underWay } from './begin.ts'
import type { PropertiesInput } from './contract.ts'
import { entryOf, shown } from './entity.ts'
import type { DatabaseJobs } from './jobs.ts'
import { keyOf } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'
import { sameLabels, sameLimits, type Wanted } from './wanted.ts'

const settled = ['Online', 'Paused']
const towardsWanted = ['Creating', 'Copying', 'Scaling']

/** Brings a database that is there to what is wanted of it: 200 if that is done, 202 if it is under way. */
export async function change(
  context: Context,
  row: DatabaseRow,
  wanted: Wanted,
  { scale, create }: DatabaseJobs,
  settings: SqlSettings,
) {
  const { db, caller, clock } = context
  const needsHost = !row.applied || !sameLimits(row, wanted)
  const isSame = sameLimits(row, wanted) && sameLabels(row, wanted)
  if (isSame && !needsHost && settled.includes(row.status)) return ok(shown(row))
  if (isSame && towardsWanted.includes(row.status)) return underWay(row)
  if (!settled.includes(row.status) && row.status !== 'Inaccessible') busy(row)
  if (row.status === 'Paused' && needsHost)
    throw new Failure('invalid', `The database '${row.databaseName}' is paused: resume it first.`, {
      code: 'UpdateNotAllowedOnPausedDatabase',
    })
  if (wanted.pool !== null && wanted.pool.toLowerCase() !== row.pool?.toLowerCase())
    await takePlace(context, row, wanted.pool, settings)
  const changed = (await store.setWanted(db, row, wanted)) ?? row
  await registerResource(db, clock, { tenant: caller.tenant, service: 'sql-databases' }, entryOf(changed))
  if (row.status === 'Inaccessible')
    return begin(context, changed, create, row.source === null ? 'Creating' : 'Copying')
  return needsHost ? begin(context, changed, scale, 'Scaling') : ok(shown(changed))
}

/** A place in a pool. The caller has locked the server. */
export async function takePlace(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  scope: Parameters<typeof store.countPool>[2],
  pool: string,
  { pool: { members } }: SqlSettings,
): Promise<void> {
  if ((await store.countPool(db, caller.tenant, scope, pool)) >= members)
    throw new Failure('invalid', `The pool '${pool}' is full: it takes ${members} databases.`, {
      code: 'ElasticPoolDatabaseCountOverLimit',
    })
}

/** A PATCH makes nothing. */
export function checkNotCreating({ createMode = 'Default', sourceDatabaseId }: PropertiesInput): void {
  if (createMode !== 'Default' || sourceDatabaseId !== undefined)
    invalid([{ at: 'body/properties', message: 'must not say how to create: the database is there' }])
}

/** What is decided at creation stays as it is; saying it again does no harm. */
export function checkUnchanged(row: DatabaseRow, properties: PropertiesInput, location = row.location): void {
  const place = (text: string) => keyOf(text).replaceAll(' ', '')
  if (place(location) !== place(row.location))
    invalid([{ at: 'body/location', message: `is ${row.location} and cannot change` }])
  const { collation } = properties
  if (collation !== undefined && collation !== row.collation)
    throw new Failure('invalid', 'A database keeps the collation that it was created with.', {
      code: 'ChangeUnsupportedOnEntity',
    })
}
