import { setTimeout as sleep } from 'node:timers/promises'
import { type ContinuousBackup, Failure, type JobContext, notFound, type RestoreWindow } from '@icosa/kernel'
import { metadataOf } from '../backups/metadata.ts'
import type { DatabaseRow } from '../databases/store.ts'
import { readDatabaseAt } from '../recovery/database.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { takeBaseBackup } from './base-backup.ts'
import * as store from './store.ts'

type Find = (id: string, context: JobContext<ServiceRuntime>) => Promise<DatabaseRow>

const unset =
  'Databases cannot be backed up continuously here: ask the operator to set ICOSA_SQL_ARCHIVE_URL to a role of the SQL host that may replicate.'

/** Point-in-time recovery of databases, from base backups and WAL of the SQL host, of which a tenant sees its own part. */
export function continuousBackup(find: Find, settings: SqlSettings): ContinuousBackup<ServiceRuntime> {
  const { archiveUrl } = settings
  return {
    refusal: archiveUrl === undefined ? unset : undefined,

    async begin({ id, resource, keepDays }, context) {
      if (archiveUrl === undefined) throw new Failure('unavailable', unset)
      const { tenant, db, clock } = context
      const row = await find(resource, context)
      const previous = await store.findArchived(db, tenant, id)
      if (previous && previous.physical !== row.physical) return false
      await context.transaction((last) =>
        store.putArchived(last, { tenant, id, physical: row.physical, keepDays }, clock.now()),
      )
      const active = await store.activeArchive(db)
      if (!previous?.since || (active && active.system !== previous.host)) {
        const ready = await readyArchive(context, archiveUrl)
        await context.transaction((last) => store.setSince(last, { tenant, id }, ready))
      }
      return metadataOf(row)
    },

    window: (db, tenant, id, now) => windowOf(db, tenant, id, now),

    async readAt(id, at, context) {
      const { tenant, db, clock } = context
      const { physical } = (await store.findArchived(db, tenant, id)) ?? notFound('recovery point', id)
      const window = await windowOf(db, tenant, id, clock.now())
      if (!window || at < window.from || at > window.to)
        throw new Failure('invalid', `${at.toISOString()} is no longer in the archive.`)
      return readDatabaseAt(physical, at, context, settings)
    },

    end: (id, context) => context.transaction((db) => store.removeArchived(db, context.tenant, id)),
  }
}

async function windowOf(
  ...[db, tenant, id, now]: Parameters<ContinuousBackup['window']>
): Promise<RestoreWindow | undefined> {
  const database = await store.findArchived(db, tenant, id)
  const windows = database?.host ? await store.recoveryWindows(db, database.host) : []
  const [first] = windows
  const last = windows.at(-1)
  if (!database?.since || !first || !last) return undefined
  const oldest = now.getTime() - database.keepDays * 86_400_000
  const from = new Date(Math.max(database.since.getTime(), first.from.getTime(), oldest))
  return from > last.to ? undefined : { from, to: last.to }
}

const readyMs = 60_000
const pollMs = 250

/** Waits until WAL is received and a base backup exists. Returns the earliest time to which recovery is possible, or slightly before it. */
async function readyArchive(context: JobContext<ServiceRuntime>, url: string) {
  const { db, runtime, signal } = context
  const { receiver } = runtime
  const deadline = performance.now() + readyMs
  for (;;) {
    signal.throwIfAborted()
    receiver?.ensure()
    const archive = await store.activeArchive(db)
    const [base] = archive ? await store.baseBackupsOf(db, archive.epoch) : []
    if (archive?.coveredUntil && base && base.usableFrom <= archive.coveredUntil)
      return { since: archive.coveredUntil, host: archive.system }
    if (archive?.coveredUntil && !base)
      await runtime.copying(async () => {
        if ((await store.baseBackupsOf(db, archive.epoch)).length === 0) await takeBaseBackup(context, url)
      })
    else if (performance.now() > deadline)
      throw new Failure('unavailable', `WAL of the SQL host is not being received. ${receiver?.problem() ?? ''}`.trim())
    else await sleep(pollMs, undefined, { signal })
  }
}
