import { type Job, type JobContext, job } from '@icosa/kernel'
import { retentionDaysOf } from '../configuration/retention.ts'
import * as dropped from '../restores/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { baseBackupKey, takeBaseBackup } from './base-backup.ts'
import * as pruning from './pruning-store.ts'
import { slotOf, walChunkKey } from './receiver.ts'
import { openReplication } from './replication.ts'
import * as store from './store.ts'

export const keepEveryMs = 10_000
export const pruneEveryMs = 3_600_000
/** Without a retention of all databases, the backup that starts an archive takes its first base backup itself, within this time. */
const firstBackupMs = 600_000
const batchSize = 500

export interface ArchiveJobs {
  /** Starts the WAL receiver and schedules base backups. */
  readonly keep: Job<object, ServiceRuntime>
  readonly copy: Job<object, ServiceRuntime>
  readonly prune: Job<object, ServiceRuntime>
}

export function archiveJobs(settings: SqlSettings): ArchiveJobs {
  const { archiveUrl: url, baseEveryMs } = settings
  const days = retentionDaysOf(settings)
  const schedule = { everyMs: baseEveryMs, firstMs: days > 0 ? 0 : firstBackupMs }
  const keep = job<object, ServiceRuntime>('keepArchive', {
    lane: 'punctual',
    retries: 0,
    async run(_, { db, clock, runtime }) {
      await runtime.folders.sweep()
      if (url === undefined) return undefined
      const now = clock.now()
      if (await pruning.isArchiving(db, days)) {
        runtime.receiver?.ensure()
        const isDue = await pruning.isBaseBackupDue(db, { ...schedule, now })
        return async (_last, jobs) => {
          if (isDue) await jobs.enqueue(copy, {}, { key: 'copy' })
        }
      }
      if (!(await store.activeArchive(db))) return undefined
      return async (last, jobs) => {
        if (await pruning.isArchiving(last, days)) return
        await store.endArchive(last)
        await jobs.enqueue(prune, {}, { key: 'prune' })
      }
    },
  })
  const copy = job<object, ServiceRuntime>('copySqlHost', {
    async run(_, context) {
      if (url === undefined || !(await pruning.isArchiving(context.db, days))) return
      await context.runtime.copying(async () => {
        const now = context.clock.now()
        // It may have been taken while this job waited.
        if (await pruning.isBaseBackupDue(context.db, { ...schedule, now })) await takeBaseBackup(context, url)
      })
    },
  })
  const prune = job<object, ServiceRuntime>('pruneArchive', {
    retries: 8,
    async run(_, context) {
      const now = context.clock.now()
      await context.transaction((db) => pruning.removeUnstarted(db, now))
      await context.transaction((db) => dropped.removeExpired(db, now, days))
      for (const archive of await store.archives(context.db)) await pruneArchive(archive, days, context)
      await removeOrphans(context)
      if (url !== undefined && !(await store.activeArchive(context.db))) await dropSlot(url, context)
    },
  })
  return { keep, copy, prune }
}

/** Deletes what precedes the base backup of the oldest recoverable time, blobs before their rows. */
async function pruneArchive(
  { epoch, ended, coveredUntil }: store.ArchiveRow,
  retentionDays: number,
  context: JobContext<ServiceRuntime>,
): Promise<void> {
  const { db, clock, blobs, transaction } = context
  const oldest = await store.retainedFrom(db, clock.now(), retentionDays)
  const isExpired = ended && (!oldest || !coveredUntil || coveredUntil < oldest)
  const backups = await store.baseBackupsOf(db, epoch)
  const first = isExpired
    ? undefined
    : (backups.findLast(({ usableFrom }) => oldest && usableFrom <= oldest) ?? backups[0])
  for (const backup of backups) {
    if (backup === first) break
    await blobs.shared.delete(baseBackupKey(epoch, backup.id))
    await transaction((last) => store.removeBaseBackup(last, backup))
  }
  if (!isExpired && !first) return
  for (;;) {
    const chunks = await pruning.chunksBefore(db, epoch, first?.start, batchSize)
    for (const id of chunks) await blobs.shared.delete(walChunkKey(epoch, id))
    await transaction((last) => pruning.removeChunks(last, epoch, chunks))
    if (chunks.length < batchSize) break
  }
  if (isExpired) await transaction((last) => store.removeArchive(last, epoch))
}

const orphanMs = 3_600_000

/** Deletes blobs without a row, which a killed worker left. */
async function removeOrphans({ db, clock, blobs }: JobContext<ServiceRuntime>): Promise<void> {
  const before = new Date(clock.now().getTime() - orphanMs)
  for (let after: string | undefined; ; ) {
    const { items, next } = await blobs.shared.list('archive/', { limit: 1_000, ...(after !== undefined && { after }) })
    const old = items.filter(({ modifiedAt }) => modifiedAt < before).map(({ key }) => key)
    const referenced = await pruning.referencedAmong(db, old.map(idIn))
    for (const key of old) if (!referenced.has(idIn(key))) await blobs.shared.delete(key)
    if (next === undefined) return
    after = next
  }
}

const idIn = (key: string) => key.split('/').at(-1) ?? ''

/** Drops the slot, for which the SQL host would retain WAL until its disk is full. */
async function dropSlot(url: string, { db }: JobContext<ServiceRuntime>): Promise<void> {
  const slot = await slotOf(db)
  using connection = await openReplication(url)
  if (await connection.hasSlot(slot)) await connection.dropSlot(slot)
}
