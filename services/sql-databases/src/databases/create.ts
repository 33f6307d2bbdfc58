import { randomUUID } from 'node:crypto'
import { type Context, Failure, invalid, registerResource } from '@icosa/kernel'
import { newPassword } from '../host/password.ts'
import type { SqlSettings } from '../settings.ts'
import { busy } from './begin.ts'
import { takePlace } from './change.ts'
import type { DatabaseInput, PropertiesInput } from './contract.ts'
import { entryOf, shown } from './entity.ts'
import type { DatabaseJobs } from './jobs.ts'
import { isWarehouse, levelOf } from './levels.ts'
import { passwordPlace } from './passwords.ts'
import { type DatabaseScope, databaseId, readDatabaseId } from './scope.ts'
import { tooMany } from './shares.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'
import { checkCollation } from './unbuilt.ts'
import { wantedBy } from './wanted.ts'

/** A row and a job: the database itself is made by the job, under a name that the row has from the start. */
export async function create(
  context: Context,
  scope: DatabaseScope,
  body: DatabaseInput,
  jobs: DatabaseJobs,
  settings: SqlSettings,
) {
  const { db, caller, clock, operations, vault } = context
  const source = await sourceOf(context, body.properties ?? {})
  const wanted = wantedBy(body, scope, source)
  if (source) checkCopy(source, wanted.objective)
  if (wanted.pool !== null) await takePlace(context, scope, wanted.pool, settings)
  const places = settings.tenant.connections
  if ((await store.countOfTenant(db, caller.tenant)) >= places) tooMany(places)

  const id = randomUUID()
  const work = randomUUID()
  const { prefix } = await store.installation(db)
  const operation = await operations.start(jobs.create, { id, work }, { resource: databaseId(scope) })
  const row = await store.insert(db, {
    ...wanted,
    subscriptionId: scope.subscriptionId,
    resourceGroupName: scope.resourceGroupName,
    serverName: scope.serverName,
    databaseName: scope.databaseName,
    tenant: caller.tenant,
    id,
    physical: prefix + id.replaceAll('-', ''),
    password: vault.seal(newPassword(), passwordPlace(id)),
    location: body.location,
    status: source ? 'Copying' : 'Creating',
    work,
    operation: operation.id,
    collation: collationFor(body.properties?.collation, source),
    source: source?.id ?? null,
    createdAt: clock.now(),
  })
  await registerResource(db, clock, { tenant: caller.tenant, service: 'sql-databases' }, entryOf(row))
  return { status: 201 as const, body: shown(row), operation }
}

/** The database that is to be copied, if one is. */
export async function sourceOf(
  { db, caller }: Context,
  { createMode = 'Default', sourceDatabaseId }: PropertiesInput,
): Promise<DatabaseRow | undefined> {
  if (createMode === 'Default') {
    if (sourceDatabaseId === undefined) return undefined
    invalid([{ at: 'body/properties/sourceDatabaseId', message: 'goes with createMode Copy' }])
  }
  if (sourceDatabaseId === undefined)
    throw new Failure('invalid', 'Say which database to copy: set properties.sourceDatabaseId.', {
      code: 'MissingSourceDatabaseId',
    })
  const scope = readDatabaseId(sourceDatabaseId, 'InvalidSourceDatabaseId')
  const source = await store.find(db, caller.tenant, scope)
  if (source) return source
  throw new Failure('invalid', `There is no database '${scope.databaseName}' to copy.`, {
    code: 'SourceDatabaseNotFound',
  })
}

function checkCopy(source: DatabaseRow, objective: string): void {
  if (!['Online', 'Paused'].includes(source.status)) busy(source)
  if (isWarehouse(levelOf(source.objective)) || isWarehouse(levelOf(objective)))
    throw new Failure('invalid', 'A data warehouse is neither copied nor made by copying.', {
      code: 'FeatureDisabledOnSelectedEdition',
    })
}

/** A copy has the collation of its source. */
function collationFor(asked: string | undefined, source: DatabaseRow | undefined): string | null {
  if (source && asked !== undefined && asked !== source.collation)
    throw new Failure('invalid', 'A copy has the collation of its source: leave it out.', { code: 'InvalidCollation' })
  if (source) return source.collation
  return asked === undefined ? null : checkCollation(asked)
}
