import { type Context, Failure, invalid, ok } from '@icosa/kernel'
import { isCollationOf } from '../configuration/collation.ts'
import { type DesiredConfiguration, sameLabels, sameLimits } from '../configuration/desired.ts'
import { poolLimitsOf } from '../pools/limits.ts'
import * as pools from '../pools/store.ts'
import type { DatabaseJobs } from '../provisioning/jobs.ts'
import type { SqlSettings } from '../settings.ts'
import { begin, busy, creationOf, underWay } from './begin.ts'
import type { PropertiesInput, Sku } from './contract.ts'
import { originFields } from './origin.ts'
import { keyOf, type ServerScope } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'
import { entryOf, toDatabase } from './view.ts'

const stableStatuses = ['Online', 'Paused']
const transitionalStatuses = ['Creating', 'Copying', 'Scaling']
/** By this service: the backup service restores without an operation that a caller could wait for. */
const isRestoring = ({ status, restoreTime }: DatabaseRow) => status === 'Restoring' && restoreTime !== null

interface ChangeOptions {
  /** As requested. */
  readonly sku: Sku | undefined
  readonly jobs: DatabaseJobs
  readonly settings: SqlSettings
}

/** Changes an existing database to the desired configuration: 200 if that is done, 202 if it is running. */
export async function change(
  context: Context,
  row: DatabaseRow,
  desired: DesiredConfiguration,
  { sku, settings, jobs }: ChangeOptions,
) {
  const { db, clock } = context
  const view = (shown: DatabaseRow) => ok(toDatabase(shown, settings, clock.now()))
  const joins = desired.pool !== null && desired.pool.toLowerCase() !== row.pool?.toLowerCase()
  const changesLimits = desired.maxSizeBytes !== row.maxSizeBytes || desired.maxConnections !== row.maxConnections
  if (joins || changesLimits || sku)
    await checkPool(context, row, desired, { sku, members: joins ? settings.pool.members : undefined })
  const needsHost = !row.applied || !sameLimits(row, desired)
  const isSame = sameLimits(row, desired) && sameLabels(row, desired)
  if (isSame && !needsHost && stableStatuses.includes(row.status)) return view(row)
  if (isSame && (transitionalStatuses.includes(row.status) || isRestoring(row))) return underWay(row)
  if (!stableStatuses.includes(row.status) && row.status !== 'Inaccessible') busy(row)
  if (row.status === 'Paused' && needsHost)
    throw new Failure('invalid', `The database '${row.databaseName}' is paused: resume it first.`, {
      code: 'UpdateNotAllowedOnPausedDatabase',
    })
  const updated = (await store.setDesired(db, row, desired)) ?? row
  await context.resources.put(entryOf(updated))
  if (row.status === 'Inaccessible') {
    const { job, status } = creationOf(row, jobs)
    return begin(context, updated, job, status)
  }
  return needsHost ? begin(context, updated, jobs.scale, 'Scaling') : view(updated)
}

/** Rejects a pool that does not exist, is full or has lower limits. The caller has locked the server. */
export async function checkPool(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  scope: ServerScope,
  { pool, maxSizeBytes, maxConnections }: DesiredConfiguration,
  { sku, members }: { readonly sku: Sku | undefined; readonly members: number | undefined },
): Promise<void> {
  if (pool === null) return
  const row = await pools.find(db, caller.tenant, { ...scope, elasticPoolName: pool })
  if (!row) refuse('TargetElasticPoolDoesNotExist', `The elastic pool '${pool}' does not exist: create it first.`)
  const { tier, maxSizeBytes: maxBytes, connectionsEach: maxEach } = poolLimitsOf(row)
  if (sku?.tier !== undefined && keyOf(sku.tier) !== keyOf(tier))
    refuse('ElasticPoolTierCombinationInvalid', `The pool '${pool}' is of the tier ${tier}, not ${sku.tier}.`)
  if (maxSizeBytes !== null && maxSizeBytes > maxBytes)
    refuse('InvalidMaxSizeTierCombination', `The pool '${pool}' allows at most ${maxBytes} bytes: request less.`)
  if (maxConnections !== null && maxConnections > maxEach)
    invalid([{ at: 'body/properties/maxConnections', message: `must be at most ${maxEach}, the limit of its pool` }])
  if (members !== undefined && (await store.countPool(db, caller.tenant, scope, pool)) >= members)
    refuse('ElasticPoolDatabaseCountOverLimit', `The pool '${pool}' is full: it can have at most ${members} databases.`)
}

function refuse(code: string, message: string): never {
  throw new Failure('invalid', message, { code })
}

/** A PATCH creates nothing. */
export function checkNotCreating({ createMode = 'Default', ...properties }: PropertiesInput): void {
  const field =
    createMode === 'Default'
      ? originFields.find((name) => name !== 'sampleName' && properties[name] !== undefined)
      : 'createMode'
  if (field !== undefined)
    invalid([{ at: `body/properties/${field}`, message: 'is not possible: the database already exists' }])
}

/** `West Europe` and `westeurope` are equal. */
export function checkSameLocation(row: { readonly location: string }, location: string): void {
  const normalized = (text: string) => keyOf(text).replaceAll(' ', '')
  if (normalized(location) !== normalized(row.location))
    invalid([{ at: 'body/location', message: `is ${row.location} and cannot change` }])
}

/** Rejects changes of immutable properties; repeating them is allowed. */
export function checkUnchanged(row: DatabaseRow, properties: PropertiesInput, location = row.location): void {
  checkSameLocation(row, location)
  const { collation, sampleName } = properties
  if (collation !== undefined && !isCollationOf(row, collation))
    throw new Failure('invalid', 'The collation of a database cannot change: leave it out.', {
      code: 'ChangeUnsupportedOnEntity',
    })
  if (sampleName !== undefined && sampleName !== row.sample)
    throw new Failure('invalid', 'A sample can only be loaded into a new database: leave sampleName out.', {
      code: 'ChangeUnsupportedOnEntity',
    })
}
