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

/** Some four minutes of trying: a SQL host that restarts is back by then. */
const retries = 8

interface Step {
  readonly row: DatabaseRow
  readonly admin: Session
  readonly context: JobContext<ServiceRuntime>
}

interface Kind {
  /** What happens on the SQL host. It may happen again, from the start, after having stopped anywhere. */
  readonly effect: (step: Step) => Promise<Sql>
  /** What takes long and needs no lock. */
  readonly after?: (row: DatabaseRow, context: JobContext<ServiceRuntime>) => Promise<void>
  readonly done: Status
  /** What the database is if it could not be done; supervision sees to it that it is. */
  readonly undone: Status
}

export function databaseJobs(settings: SqlSettings): DatabaseJobs {
  const limited = async (step: Step): Promise<Sql> => store.applied(await applyLimits(step, settings))

  const changing = (name: string, { effect, after, done, undone }: Kind) =>
    job<Work, ServiceRuntime>(name, {
      retries,
      async run(work, context) {
        const before = await current(context.db, work)
        const more = await context.runtime.host().alone([before.physical], async (admin) => {
          const row = await current(context.db, work) // again: the lock may have come late
          return effect({ row, admin, context })
        })
        await after?.(before, context)
        return async (db) => toDatabase((await store.settle(db, work, done, more)) ?? interrupted())
      },
      async failed(work, db) {
        await store.settle(db, work, undone)
      },
    })

  return {
    create: changing('create', {
      async effect(step) {
        await build(step.context.runtime.host(), step, settings)
        return limited(step)
      },
      done: 'Online',
      undone: 'Inaccessible',
    }),
    scale: changing('scale', { effect: limited, done: 'Online', undone: 'Online' }),
    pause: changing('pause', {
      async effect({ admin, row, context }) {
        await onHost.setOpen(admin, row.physical, false)
        await endSessionsIn(admin, row.physical)
        return store.pausedAt(context.clock.now())
      },
      done: 'Paused',
      undone: 'Online',
    }),
    resume: changing('resume', {
      async effect({ admin, row, context }) {
        await onHost.setOpen(admin, row.physical, true)
        return store.resumedAt(context.clock.now())
      },
      done: 'Online',
      undone: 'Paused',
    }),
    upgrade: changing('upgrade', {
      effect: limited,
      after: (row, context) => vacuum(context.runtime.host(), row, context),
      done: 'Online',
      undone: 'Online',
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

/** Role, database and all that keeps the tenant in and others out. The role can sign in when the limits are set. */
async function build(host: SqlHost, step: Step, settings: SqlSettings): Promise<void> {
  const { row, admin, context } = step
  const { physical, source } = row
  await prepareHost(admin, await store.installation(context.db), settings)
  const most = budgetOf(await onHost.capacity(admin), settings)
  checkQuota(row, await store.ofTenants(context.db, [row.tenant]), most)
  await onHost.makeRole(admin, physical)
  const from = source === null ? undefined : await store.findById(context.db, source)
  if (from) await copy(step, from)
  else if (!(await onHost.hasDatabase(admin, physical))) {
    if (source !== null) gone()
    await onHost.makeDatabase(admin, physical, row.collation === null ? null : hostCollationFor(row.collation))
  }
  await context.progress(0.5)
  await onHost.giveDatabase(admin, physical)
  await onHost.setOpen(admin, physical, true)
  await host.inside(physical, async (inside) => {
    if (source === null) await onHost.givePublicSchema(inside, physical)
    // A source that is gone had given everything before: a role that owns something cannot be dropped.
    else if (from) await onHost.giveCopiedObjects(inside, physical, from.physical)
  })
  const password = context.vault.open(row.password, passwordPlace(row.id))
  await onHost.setPassword(admin, physical, await verifierOf(password))
}

function gone(): never {
  throw new Failure('notFound', 'The database to copy no longer exists.', { code: 'SourceDatabaseNotFound' })
}

/** Whoever is connected to the source is cut off for the moment of copying. */
async function copy({ row, admin, context }: Step, { id, physical: source }: DatabaseRow): Promise<void> {
  await onHost.lock(admin, [source])
  const { status } = (await store.findById(context.db, id)) ?? gone()
  try {
    if (await onHost.hasDatabase(admin, row.physical)) return
    await onHost.setOpen(admin, source, false)
    await endSessionsIn(admin, source)
    await onHost.copyDatabase(admin, row.physical, source)
  } finally {
    // Even if the copy was there: an attempt that was cut off may have left the source closed.
    if (status !== 'Paused' && (await onHost.hasDatabase(admin, source))) await onHost.setOpen(admin, source, true)
  }
}

async function applyLimits(step: Step, settings: SqlSettings): Promise<store.Applied> {
  const { admin, row, context } = step
  await applyShares(step, settings)
  const mates = row.pool === null ? [] : await store.membersOf(context.db, row.tenant, row, row.pool)
  const measured = await onHost.measure(admin, [row.physical, ...mates.map(({ physical }) => physical)])
  const { bytes, collation } = measured.get(row.physical) ?? gone()
  const isPoolFull = fullPools(mates, ({ physical }) => measured.get(physical)?.bytes ?? 0).size > 0
  const storage = storageFor(bytes, limitsOf(row, poolOf(row)).maxSizeBytes, row, isPoolFull)
  await applyStorage(admin, row.physical, storage)
  return { ...storage, hostCollation: collation }
}

/** How long the other databases of a tenant may take: a tenant with locks on many must not keep others waiting. */
const siblingsMs = 5_000

/** What one database of a tenant gets, the others have less: at once, since together they have what the tenant has. */
async function applyShares({ row, admin, context }: Step, settings: SqlSettings): Promise<void> {
  const all = await store.ofTenants(context.db, [row.tenant])
  const shares = sharesOf(all, await onHost.capacity(admin), settings)
  const limits = await onHost.limitsNow(
    admin,
    all.map(({ physical }) => physical),
  )
  const outdated = limits.flatMap((now) => {
    const share = shares.get(now.name)
    return share && !isApplied(share, now) ? { now, share } : []
  })
  for (const { now, share } of outdated) if (now.name === row.physical) await applyShare(admin, now.name, share)
  const began = performance.now()
  for (const { now, share } of outdated) {
    // Supervision sees to those for which there is no time, which may just be dropped, and which get more.
    if (now.name === row.physical || share.connections >= now.databaseConnections) continue
    if (performance.now() - began > siblingsMs) return
    await applyShare(admin, now.name, share).catch((err: Error) => context.log.warn({ err }, 'not limited yet'))
  }
}

/** As the tenant's role: what runs then, such as the functions of an index, has no more rights than the tenant. */
async function vacuum(host: SqlHost, row: DatabaseRow, { vault }: JobContext): Promise<void> {
  const password = vault.open(row.password, passwordPlace(row.id))
  await host.as(row.physical, password, (session) => session.query('vacuum (analyze)'))
}
