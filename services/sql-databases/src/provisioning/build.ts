import { Failure, type JobContext, type ReadingDb, type Sql } from '@icosa/kernel'
import { verifierOf } from '@icosa/tokens/passwords/scram'
import { hostCollationFor } from '../configuration/collation.ts'
import { limitsOf } from '../configuration/desired.ts'
import type { DatabaseRow, Work } from '../databases/store.ts'
import * as store from '../databases/store.ts'
import { budgetOf } from '../host/budget.ts'
import type { Session, SqlHost } from '../host/host.ts'
import { prepareHost } from '../host/preparation.ts'
import { endSessionsIn } from '../host/sessions-store.ts'
import { applyStorage, storageFor } from '../host/storage.ts'
import * as onHost from '../host/store.ts'
import { poolOf } from '../pools/limits.ts'
import { fullPools } from '../pools/space.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { passwordPlace } from './passwords.ts'
import { applyShare, checkQuota, isApplied, sharesOf } from './shares.ts'

export interface Step {
  readonly row: DatabaseRow
  readonly admin: Session
  readonly context: JobContext<ServiceRuntime>
}

export function interrupted(): never {
  throw new Failure('conflict', 'A later operation on the database has replaced this one.', {
    code: 'OperationInterrupted',
  })
}

export const current = async (db: ReadingDb, work: Work) => (await store.findWork(db, work)) ?? interrupted()

/** Creates the role and the database and isolates them. The role can sign in once its limits are set. */
export async function build(host: SqlHost, step: Step, settings: SqlSettings): Promise<void> {
  const { row, admin, context } = step
  const { physical } = row
  const source = row.restoreTime === null ? row.source : null
  await prepareHost(admin, await store.installation(context.db), settings)
  const maxDatabases = budgetOf(await onHost.capacity(admin), settings)
  checkQuota(row, await store.ofTenants(context.db, [row.tenant]), maxDatabases)
  await onHost.makeRole(admin, physical)
  const sourceRow = source === null ? undefined : await store.findById(context.db, source)
  if (sourceRow) await copy(step, sourceRow)
  else if (!(await onHost.hasDatabase(admin, physical))) {
    if (source !== null) missingSource()
    await onHost.makeDatabase(admin, physical, row.collation === null ? null : hostCollationFor(row.collation))
  }
  await context.progress(0.5)
  await onHost.giveDatabase(admin, physical)
  await onHost.setOpen(admin, physical, true)
  await host.inside(physical, async (inside) => {
    if (source === null) await onHost.givePublicSchema(inside, physical)
    // A deleted source had given everything before: a role that owns objects cannot be dropped.
    else if (sourceRow) await onHost.giveCopiedObjects(inside, physical, sourceRow.physical)
  })
  const password = (await context.tenantVault()).open(row.password, passwordPlace(row.id))
  await onHost.setPassword(admin, physical, await verifierOf(password))
}

function missingSource(): never {
  throw new Failure('notFound', 'The database to copy no longer exists.', { code: 'SourceDatabaseNotFound' })
}

/** Terminates the source's sessions, and rejects new ones during the copy. */
async function copy({ row, admin, context }: Step, { id, physical: source }: DatabaseRow): Promise<void> {
  await onHost.lock(admin, [source])
  const { status } = (await store.findById(context.db, id)) ?? missingSource()
  try {
    if (await onHost.hasDatabase(admin, row.physical)) return
    await onHost.setOpen(admin, source, false)
    await endSessionsIn(admin, source)
    await onHost.copyDatabase(admin, row.physical, source)
  } finally {
    // Even if the copy exists: an interrupted attempt may have left the source closed.
    if (status !== 'Paused' && (await onHost.hasDatabase(admin, source))) await onHost.setOpen(admin, source, true)
  }
}

/** Returns what to record. */
export const applyAndRecord = async (step: Step, settings: SqlSettings): Promise<Sql> =>
  store.applied(await applyLimits(step, settings))

async function applyLimits(step: Step, settings: SqlSettings): Promise<store.Applied> {
  const { admin, row, context } = step
  await applyShares(step, settings)
  const poolMembers = row.pool === null ? [] : await store.membersOf(context.db, row.tenant, row, row.pool)
  const measurements = await onHost.measure(admin, [row.physical, ...poolMembers.map(({ physical }) => physical)])
  const measurement = measurements.get(row.physical) ?? missingSource()
  const isPoolFull = fullPools(poolMembers, ({ physical }) => measurements.get(physical)?.bytes ?? 0).size > 0
  const storage = storageFor(measurement.bytes, limitsOf(row, poolOf(row)).maxSizeBytes, row, isPoolFull)
  await applyStorage(admin, row.physical, storage)
  return { ...storage, hostCollation: measurement.collation, moment: await onHost.momentAfter(admin) }
}

/** Time limit for a tenant's other databases: a tenant with locks on many must not delay others. */
const maxSiblingsMs = 5_000

/** Lowers the limits of a tenant's other databases immediately, since together they must not exceed its quota. */
async function applyShares({ row, admin, context }: Step, settings: SqlSettings): Promise<void> {
  const databases = await store.ofTenants(context.db, [row.tenant])
  const shares = sharesOf(databases, await onHost.capacity(admin), settings)
  const limits = await onHost.currentLimits(
    admin,
    databases.map(({ physical }) => physical),
  )
  const outdated = limits.flatMap((current) => {
    const share = shares.get(current.name)
    return share && !isApplied(share, current) ? { current, share } : []
  })
  for (const { current, share } of outdated)
    if (current.name === row.physical) await applyShare(admin, current.name, share)
  const startedAt = performance.now()
  for (const { current, share } of outdated) {
    // Supervision handles the rest: those beyond the time limit, those just dropped, and those whose limit rises.
    if (current.name === row.physical || share.connections >= current.databaseConnections) continue
    if (performance.now() - startedAt > maxSiblingsMs) return
    await applyShare(admin, current.name, share).catch((err: Error) =>
      context.log.warn({ err }, 'the limits of a database could not be lowered yet'),
    )
  }
}
