import { type Context, Failure, invalid, ok } from '@icosa/kernel'
import { type DesiredConfiguration, sameLabels, sameLimits } from '../configuration/desired.ts'
import type { DatabaseJobs } from '../provisioning/jobs.ts'
import type { SqlSettings } from '../settings.ts'
import { begin, busy, underWay } from './begin.ts'
import type { PropertiesInput } from './contract.ts'
import { keyOf } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'
import { entryOf, toDatabase } from './view.ts'

const settled = ['Online', 'Paused']
const transitional = ['Creating', 'Copying', 'Scaling']

/** Brings an existing database to the desired configuration: 200 if that is done, 202 if it is under way. */
export async function change(
  context: Context,
  row: DatabaseRow,
  desired: DesiredConfiguration,
  { scale, create }: DatabaseJobs,
  settings: SqlSettings,
) {
  const { db } = context
  const needsHost = !row.applied || !sameLimits(row, desired)
  const isSame = sameLimits(row, desired) && sameLabels(row, desired)
  if (isSame && !needsHost && settled.includes(row.status)) return ok(toDatabase(row))
  if (isSame && transitional.includes(row.status)) return underWay(row)
  if (!settled.includes(row.status) && row.status !== 'Inaccessible') busy(row)
  if (row.status === 'Paused' && needsHost)
    throw new Failure('invalid', `The database '${row.databaseName}' is paused: resume it first.`, {
      code: 'UpdateNotAllowedOnPausedDatabase',
    })
  if (desired.pool !== null && desired.pool.toLowerCase() !== row.pool?.toLowerCase())
    await checkRoomInPool(context, row, desired.pool, settings)
  const changed = (await store.setDesired(db, row, desired)) ?? row
  await context.resources.put(entryOf(changed))
  if (row.status === 'Inaccessible')
    return begin(context, changed, create, row.source === null ? 'Creating' : 'Copying')
  return needsHost ? begin(context, changed, scale, 'Scaling') : ok(toDatabase(changed))
}

/** Refuses a full pool. The caller has locked the server. */
export async function checkRoomInPool(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  scope: Parameters<typeof store.countPool>[2],
  pool: string,
  { pool: { members } }: SqlSettings,
): Promise<void> {
  if ((await store.countPool(db, caller.tenant, scope, pool)) >= members)
    throw new Failure('invalid', `The pool '${pool}' is full: it has ${members} databases, the most it can hold.`, {
      code: 'ElasticPoolDatabaseCountOverLimit',
    })
}

/** A PATCH creates nothing. */
export function checkNotCreating({ createMode = 'Default', sourceDatabaseId }: PropertiesInput): void {
  if (createMode !== 'Default' || sourceDatabaseId !== undefined)
    invalid([
      { at: 'body/properties', message: 'must not have createMode or sourceDatabaseId: the database already exists' },
    ])
}

/** What is decided at creation stays as it is; saying it again does no harm. */
export function checkUnchanged(row: DatabaseRow, properties: PropertiesInput, location = row.location): void {
  const normalized = (text: string) => keyOf(text).replaceAll(' ', '')
  if (normalized(location) !== normalized(row.location))
    invalid([{ at: 'body/location', message: `is ${row.location} and cannot change` }])
  const { collation } = properties
  if (collation !== undefined && collation !== row.collation)
    throw new Failure('invalid', 'The collation of a database cannot change: leave it out.', {
      code: 'ChangeUnsupportedOnEntity',
    })
}
