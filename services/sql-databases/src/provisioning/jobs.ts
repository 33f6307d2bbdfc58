import { Failure, type Job, type JobContext, job, type ReadingDb, type Sql } from '@icosa/kernel'
import { verifierOf } from '@icosa/tokens/passwords/scram'
import { hostCollationFor } from '../configuration/collation.ts'
import { limitsOf } from '../configuration/desired.ts'
import type { Status } from '../databases/contract.ts'
import { databaseId } from '../databases/scope.ts'
import type { DatabaseRow, Work } from '../databases/store.ts'
import * as store from '../databases/store.ts'
import { toDatabase } from '../databases/view.ts'
import { budgetOf } from '../host/budget.ts'
import type { Session, SqlHost } from '../host/host.ts'
import { prepareHost } from '../host/preparation.ts'
import { removeAll } from '../host/removal.ts'
import { endSessionsIn } from '../host/sessions-store.ts'
import { applyStorage, storageFor } from '../host/storage.ts'
import * as onHost from '../host/store.ts'
import { poolOf } from '../pools/limits.ts'
import { fullPools } from '../pools/space.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { passwordPlace } from './passwords.ts'
import { applyShare, checkQuota, isApplied, sharesOf } from './shares.ts'

export interface DatabaseJobs {
  readonly create: Job<Work, ServiceRuntime>
  readonly scale: Job<Work, ServiceRuntime>
  readonly pause: Job<Work, ServiceRuntime>
  readonly resume: Job<Work, ServiceRuntime>
  readonly upgrade: Job<Work, ServiceRuntime>
  readonly remove: Job<Work, ServiceRuntime>
}

/** About four minutes of retries: enough for a restart of the SQL host. */
const retries = 8

interface Step {
  readonly row: DatabaseRow
  readonly admin: Session
  readonly context: JobContext<ServiceRuntime>
}

interface Change {
  /** Applies the change on the SQL host. Retried from the start after an interruption anywhere. */
  readonly effect: (step: Step) => Promise<Sql>
  /** Slow work that needs no lock. */
  readonly after?: (row: DatabaseRow, context: JobContext<ServiceRuntime>) => Promise<void>
  readonly success: Status
  /** The status after a failure; supervision restores it on the host. */
  readonly failure: Status
}

export function databaseJobs(settings: SqlSettings): DatabaseJobs {
  const applyAndRecord = async (step: Step): Promise<Sql> => store.applied(await applyLimits(step, settings))

  const changeJob = (name: string, { effect, after, success, failure }: Change) =>
    job<Work, ServiceRuntime>(name, {
      retries,
      async run(work, context) {
        const before = await current(context.db, work)
        const more = await context.runtime.host().alone([before.physical], async (admin) => {
          const row = await current(context.db, work) // reread: it may have changed while this job waited for the lock
          return effect({ row, admin, context })
        })
        await after?.(before, context)
        return async (db) => toDatabase((await store.settle(db, work, success, more)) ?? interrupted())
      },
      async failed(work, db) {
        await store.settle(db, work, failure)
      },
    })

  return {
    create: changeJob('create', {
      async effect(step) {
        await build(step.context.runtime.host(), step, settings)
        return applyAndRecord(step)
      },
      success: 'Online',
      failure: 'Inaccessible',
    }),
    scale: changeJob('scale', { effect: applyAndRecord, success: 'Online', failure: 'Online' }),
    pause: changeJob('pause', {
      async effect({ admin, row, context }) {
        await onHost.setOpen(admin, row.physical, false)
        await endSessionsIn(admin, row.physical)
        return store.pausedAt(context.clock.now())
      },
      success: 'Paused',
      failure: 'Online',
    }),
    resume: changeJob('resume', {
      async effect({ admin, row, context }) {
        await onHost.setOpen(admin, row.physical, true)
        return store.resumedAt(context.clock.now())
      },
      success: 'Online',
      failure: 'Paused',
    }),
    upgrade: changeJob('upgrade', {
      effect: applyAndRecord,
      after: (row, context) => vacuum(context.runtime.host(), row, context),
      success: 'Online',
      failure: 'Online',
    }),
    remove: job<Work, ServiceRuntime>('remove', {
      retries,
      async run(work, { db, runtime }) {
        const { physical } = await current(db, work)
        const host = runtime.host()
        await host.alone([physical], (admin) => removeAll(host, admin, physical))
        return async (last, _, resources) => {
          const row = (await store.findWork(last, work)) ?? interrupted()
          await store.remove(last, work)
          await resources.remove(databaseId(row))
        }
      },
      async failed(work, db) {
        await store.settle(db, work, 'Inaccessible')
      },
    }),
  }
}

function interrupted(): never {
  throw new Failure('conflict', 'A later operation on the database has replaced this one.', {
    code: 'OperationInterrupted',
  })
}

const current = async (db: ReadingDb, work: Work) => (await store.findWork(db, work)) ?? interrupted()

/** Creates the role and the database and isolates them. The role can sign in once its limits are set. */
async function build(host: SqlHost, step: Step, settings: SqlSettings): Promise<void> {
  const { row, admin, context } = step
  const { physical, source } = row
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

async function applyLimits(step: Step, settings: SqlSettings): Promise<store.Applied> {
  const { admin, row, context } = step
  await applyShares(step, settings)
  const poolMembers = row.pool === null ? [] : await store.membersOf(context.db, row.tenant, row, row.pool)
  const measurements = await onHost.measure(admin, [row.physical, ...poolMembers.map(({ physical }) => physical)])
  const { bytes, collation } = measurements.get(row.physical) ?? missingSource()
  const isPoolFull = fullPools(poolMembers, ({ physical }) => measurements.get(physical)?.bytes ?? 0).size > 0
  const storage = storageFor(bytes, limitsOf(row, poolOf(row)).maxSizeBytes, row, isPoolFull)
  await applyStorage(admin, row.physical, storage)
  return { ...storage, hostCollation: collation }
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

/** As the tenant's role: code that runs then, such as functions of an index, has only the tenant's rights. */
async function vacuum(host: SqlHost, row: DatabaseRow, { tenantVault }: JobContext): Promise<void> {
  const password = (await tenantVault()).open(row.password, passwordPlace(row.id))
  await host.as(row.physical, password, (session) => session.query('vacuum (analyze)'))
}
