import { type Job, type JobContext, job, type Sql } from '@icosa/kernel'
import { isRetaining } from '../configuration/retention.ts'
import type { Status } from '../databases/contract.ts'
import { databaseId } from '../databases/scope.ts'
import type { DatabaseRow, Work } from '../databases/store.ts'
import * as store from '../databases/store.ts'
import { toDatabase } from '../databases/view.ts'
import type { Session, SqlHost } from '../host/host.ts'
import { removeAll } from '../host/removal.ts'
import { endSessionsIn } from '../host/sessions-store.ts'
import * as onHost from '../host/store.ts'
import { restoreJob } from '../restores/jobs.ts'
import * as dropped from '../restores/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { loadSample } from '../samples/samples.ts'
import type { SqlSettings } from '../settings.ts'
import { applyAndRecord, build, current, interrupted, type Step } from './build.ts'
import { passwordPlace } from './passwords.ts'

export interface DatabaseJobs {
  readonly create: Job<Work, ServiceRuntime>
  readonly restore: Job<Work, ServiceRuntime>
  readonly scale: Job<Work, ServiceRuntime>
  readonly pause: Job<Work, ServiceRuntime>
  readonly resume: Job<Work, ServiceRuntime>
  readonly upgrade: Job<Work, ServiceRuntime>
  readonly remove: Job<Work, ServiceRuntime>
}

/** About four minutes of retries: enough for a restart of the SQL host. */
const retries = 8

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
        return async (db) => {
          const row = (await store.settle(db, work, success, more)) ?? interrupted()
          return toDatabase(row, settings, context.clock.now())
        }
      },
      async failed(work, db) {
        await store.settle(db, work, failure)
      },
    })

  return {
    create: changeJob('create', {
      async effect(step) {
        const { context, row } = step
        const host = context.runtime.host()
        await build(host, step, settings)
        const applied = await applyAndRecord(step, settings)
        const { sample } = row
        if (sample === null) return applied
        await asOwner(host, row, context, (role) => loadSample(role, sample))
        return applyAndRecord(step, settings) // its size, and since when it can be restored
      },
      success: 'Online',
      failure: 'Inaccessible',
    }),
    restore: restoreJob(settings),
    scale: changeJob('scale', {
      effect: (step) => applyAndRecord(step, settings),
      success: 'Online',
      failure: 'Online',
    }),
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
      effect: (step) => applyAndRecord(step, settings),
      after: async (row, context) => {
        await asOwner(context.runtime.host(), row, context, (role) => role.query('vacuum (analyze)'))
      },
      success: 'Online',
      failure: 'Online',
    }),
    remove: job<Work, ServiceRuntime>('remove', {
      retries,
      async run(work, { db, runtime, transaction }) {
        const { physical } = await current(db, work)
        const host = runtime.host()
        await host.alone([physical], (admin) =>
          removeAll(host, admin, physical, async () => {
            if (!isRetaining(settings)) return
            const moment = await onHost.momentAfter(admin)
            await transaction((last) => store.setDropped(last, work, moment))
            // Commits: a restore to that moment ends here, before the files are deleted.
            await onHost.setOpen(admin, physical, false)
          }),
        )
        return async (last, _, resources) => {
          const row = (await store.findWork(last, work)) ?? interrupted()
          if (isRetaining(settings)) await dropped.keep(last, work)
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

/** As the tenant's role: code that runs then, such as functions of an index, has only the tenant's rights. */
async function asOwner<T>(
  host: SqlHost,
  row: DatabaseRow,
  { tenantVault }: JobContext,
  work: (role: Session) => Promise<T>,
): Promise<T> {
  const password = (await tenantVault()).open(row.password, passwordPlace(row.id))
  return host.as(row.physical, password, work)
}
