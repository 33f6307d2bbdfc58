import { randomUUID } from 'node:crypto'
import { type Context, Failure } from '@icosa/kernel'
import { newPassword } from '@icosa/tokens/passwords/scram'
import { hostCollationFor, isCollationOf } from '../configuration/collation.ts'
import { readDesired } from '../configuration/desired.ts'
import type { DatabaseJobs } from '../provisioning/jobs.ts'
import { passwordPlace } from '../provisioning/passwords.ts'
import { tooMany } from '../provisioning/shares.ts'
import type { SqlSettings } from '../settings.ts'
import { creationOf } from './begin.ts'
import { checkPool } from './change.ts'
import type { DatabaseInput } from './contract.ts'
import { checkOrigin, type Origin, type Source } from './origin.ts'
import { type DatabaseScope, databaseId } from './scope.ts'
import * as store from './store.ts'
import { entryOf, toDatabase } from './view.ts'

interface CreateOptions {
  readonly body: DatabaseInput
  readonly origin: Origin
  readonly jobs: DatabaseJobs
  readonly settings: SqlSettings
}

/** Inserts a row and enqueues a job, which creates the database under the name in the row. */
export async function create(context: Context, scope: DatabaseScope, { body, origin, jobs, settings }: CreateOptions) {
  const { db, caller, clock, operations } = context
  const source = sourceIn(origin)
  const desired = readDesired(body, scope, source)
  const columns = checkOrigin(origin, desired.objective, settings, clock.now())
  await checkPool(context, scope, desired, { sku: body.sku, members: settings.pool.members })
  const maxDatabases = settings.tenant.connections
  if ((await store.countOfTenant(db, caller.tenant)) >= maxDatabases) tooMany(maxDatabases)

  const id = randomUUID()
  const work = randomUUID()
  const { prefix } = await store.installation(db)
  const { job, status } = creationOf(columns, jobs)
  const operation = await operations.start(job, { id, work }, { resource: databaseId(scope) })
  const row = await store.insert(db, {
    ...desired,
    ...columns,
    subscriptionId: scope.subscriptionId,
    resourceGroupName: scope.resourceGroupName,
    serverName: scope.serverName,
    databaseName: scope.databaseName,
    tenant: caller.tenant,
    id,
    physical: prefix + id.replaceAll('-', ''),
    password: (await context.tenantVault()).seal(newPassword(), passwordPlace(id)),
    location: body.location,
    sample: body.properties?.sampleName ?? null,
    status,
    work,
    operation: operation.id,
    collation: collationFor(body.properties?.collation, source),
    createdAt: clock.now(),
  })
  await context.resources.put(entryOf(row))
  return { status: 201 as const, body: toDatabase(row, settings, clock.now()), operation }
}

export const sourceIn = (origin: Origin) => (origin.mode === 'Default' ? undefined : origin.source)

/** A copy has the collation of its source. */
function collationFor(requested: string | undefined, source: Source | undefined): string | null {
  if (source && requested !== undefined && !isCollationOf(source, requested))
    throw new Failure('invalid', 'The database has the collation of its source: leave collation out.', {
      code: 'InvalidCollation',
    })
  if (source) return source.collation
  if (requested !== undefined) hostCollationFor(requested) // rejects an unknown one
  return requested ?? null
}
