import { randomUUID } from 'node:crypto'
import { type Context, Failure, invalid } from '@icosa/kernel'
import { newPassword } from '@icosa/tokens/passwords/scram'
import { hostCollationFor, isCollationOf } from '../configuration/collation.ts'
import { readDesired } from '../configuration/desired.ts'
import { isWarehouse, levelOf } from '../configuration/levels.ts'
import type { DatabaseJobs } from '../provisioning/jobs.ts'
import { passwordPlace } from '../provisioning/passwords.ts'
import { tooMany } from '../provisioning/shares.ts'
import type { SqlSettings } from '../settings.ts'
import { busy } from './begin.ts'
import { checkPool } from './change.ts'
import type { DatabaseInput, PropertiesInput } from './contract.ts'
import { type DatabaseScope, databaseId, readDatabaseId } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'
import { entryOf, toDatabase } from './view.ts'

/** Inserts a row and enqueues a job, which creates the database under the name in the row. */
export async function create(
  context: Context,
  scope: DatabaseScope,
  body: DatabaseInput,
  jobs: DatabaseJobs,
  settings: SqlSettings,
) {
  const { db, caller, clock, operations } = context
  const source = await sourceOf(context, body.properties ?? {})
  const desired = readDesired(body, scope, source)
  if (source) checkCopy(source, desired.objective)
  await checkPool(context, scope, desired, { sku: body.sku, members: settings.pool.members })
  const maxDatabases = settings.tenant.connections
  if ((await store.countOfTenant(db, caller.tenant)) >= maxDatabases) tooMany(maxDatabases)

  const id = randomUUID()
  const work = randomUUID()
  const { prefix } = await store.installation(db)
  const operation = await operations.start(jobs.create, { id, work }, { resource: databaseId(scope) })
  const row = await store.insert(db, {
    ...desired,
    subscriptionId: scope.subscriptionId,
    resourceGroupName: scope.resourceGroupName,
    serverName: scope.serverName,
    databaseName: scope.databaseName,
    tenant: caller.tenant,
    id,
    physical: prefix + id.replaceAll('-', ''),
    password: (await context.tenantVault()).seal(newPassword(), passwordPlace(id)),
    location: body.location,
    status: source ? 'Copying' : 'Creating',
    work,
    operation: operation.id,
    collation: collationFor(body.properties?.collation, source),
    source: source?.id ?? null,
    createdAt: clock.now(),
  })
  await context.resources.put(entryOf(row))
  return { status: 201 as const, body: toDatabase(row), operation }
}

/** The database to copy, if any. */
export async function sourceOf(
  { db, caller }: Context,
  { createMode = 'Default', sourceDatabaseId }: PropertiesInput,
): Promise<DatabaseRow | undefined> {
  if (createMode === 'Default') {
    if (sourceDatabaseId === undefined) return undefined
    invalid([{ at: 'body/properties/sourceDatabaseId', message: 'can only be used with createMode Copy' }])
  }
  if (sourceDatabaseId === undefined)
    throw new Failure('invalid', 'Set properties.sourceDatabaseId to the id of the database to copy.', {
      code: 'MissingSourceDatabaseId',
    })
  const scope = readDatabaseId(sourceDatabaseId, 'InvalidSourceDatabaseId')
  const source = await store.find(db, caller.tenant, scope)
  if (source) return source
  throw new Failure('invalid', `The database '${scope.databaseName}' to copy does not exist.`, {
    code: 'SourceDatabaseNotFound',
  })
}

function checkCopy(source: DatabaseRow, objective: string): void {
  if (!['Online', 'Paused'].includes(source.status)) busy(source)
  if (isWarehouse(levelOf(source.objective)) || isWarehouse(levelOf(objective)))
    throw new Failure('invalid', 'A data warehouse can be neither the source nor the target of a copy.', {
      code: 'FeatureDisabledOnSelectedEdition',
    })
}

/** A copy has the collation of its source. */
function collationFor(requested: string | undefined, source: DatabaseRow | undefined): string | null {
  if (source && requested !== undefined && !isCollationOf(source, requested))
    throw new Failure('invalid', 'A copy has the collation of its source: leave collation out.', {
      code: 'InvalidCollation',
    })
  if (source) return source.collation
  if (requested !== undefined) hostCollationFor(requested) // rejects an unknown one
  return requested ?? null
}
