import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type Job, type JobContext, job } from '@icosa/kernel'
import { writeContent } from '../backups/content.ts'
import type { DatabaseRow, Work } from '../databases/store.ts'
import * as store from '../databases/store.ts'
import { toDatabase } from '../databases/view.ts'
import { removeAll } from '../host/removal.ts'
import { applyAndRecord, build, current, interrupted } from '../provisioning/build.ts'
import { readDatabaseAt } from '../recovery/database.ts'
import { unrecoverable } from '../recovery/wal.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import * as archive from '../wal-archive/store.ts'

/** As for other operations on databases. */
const retries = 8

/** Progress once a copy of the host was recovered to the time, the new database is there, and it is loaded. */
const milestones = { recovered: 0.5, created: 0.6, loaded: 0.9 } as const

/** Creates a database from the archive. Retried from the start: what a killed worker left on the host is dropped. */
export const restoreJob = (settings: SqlSettings): Job<Work, ServiceRuntime> =>
  job<Work, ServiceRuntime>('restore', {
    retries,
    async run(work, context) {
      const { runtime, tenant, clock } = context
      const { physical } = await current(context.db, work)
      await runtime.restoring.run(tenant, () => restore(work, context, settings))
      const applied = await runtime.host().alone([physical], async (admin) => {
        const row = await current(context.db, work)
        return applyAndRecord({ row, admin, context }, settings)
      })
      return async (db) => {
        const row = (await store.settle(db, work, 'Online', applied)) ?? interrupted()
        return toDatabase(row, settings, clock.now())
      }
    },
    async failed(work, db) {
      await store.settle(db, work, 'Inaccessible')
    },
  })

async function restore(work: Work, context: JobContext<ServiceRuntime>, settings: SqlSettings): Promise<void> {
  const { db, progress } = context
  const { physical, restoreSource, restoreTime } = await current(db, work)
  if (restoreSource === null || restoreTime === null) throw new Error(`${physical} is not restored from the archive`)
  await untilArchived(restoreTime, context)
  const content = await readDatabaseAt(restoreSource, restoreTime, context, settings)
  try {
    await progress(milestones.recovered)
    const row = await emptyDatabase(work, physical, context, settings)
    await progress(milestones.created)
    await writeContent(row, content, context, settings.programs)
    await progress(milestones.loaded)
  } finally {
    content.destroy() // ends the copy of the host
  }
}

/** With its limits, so that its role can sign in. */
const emptyDatabase = (
  work: Work,
  physical: string,
  context: JobContext<ServiceRuntime>,
  settings: SqlSettings,
): Promise<DatabaseRow> => {
  const host = context.runtime.host()
  return host.alone([physical], async (admin) => {
    const row = await current(context.db, work) // reread: it may have been deleted in the meantime
    await removeAll(host, admin, physical)
    await build(host, { row, admin, context }, settings)
    await applyAndRecord({ row, admin, context }, settings)
    return row
  })
}

const maxLagMs = 60_000
const pollMs = 250

/** The archive is seconds behind the host. */
async function untilArchived(at: Date, { db, runtime, signal }: JobContext<ServiceRuntime>): Promise<void> {
  const deadline = performance.now() + maxLagMs
  while (!(await archive.baseBackupFor(db, at))) {
    const coveredUntil = (await archive.activeArchive(db))?.coveredUntil
    if (coveredUntil && coveredUntil >= at) unrecoverable(at)
    const problem = runtime.receiver?.problem() ?? ''
    if (performance.now() > deadline)
      throw new Failure('unavailable', `WAL of the SQL host is not being received. ${problem}`.trim())
    runtime.receiver?.ensure()
    await sleep(pollMs, undefined, { signal })
  }
}
