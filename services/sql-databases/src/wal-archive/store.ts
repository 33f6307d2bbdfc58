import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Lsn } from './lsn.ts'
import { keptRows, retainedRows } from './retained-rows-store.ts'

/** A gapless range of the SQL host's WAL. */
export interface ArchiveRow {
  readonly epoch: number
  readonly system: string
  readonly timeline: number
  readonly segmentBytes: number
  /** By the clock of the SQL host. */
  readonly coveredUntil: Date | null
  readonly ended: boolean
}

const archiveColumns = sql`epoch, system, timeline, segment_bytes as "segmentBytes", covered_until as "coveredUntil", ended`

/** Returns the archive that is being written, if any. */
export function activeArchive(db: ReadingDb): Promise<ArchiveRow | undefined> {
  return db.maybe(sql`select ${archiveColumns} from sql_databases.archives where not ended`)
}

export function archives(db: ReadingDb): Promise<ArchiveRow[]> {
  return db.many(sql`select ${archiveColumns} from sql_databases.archives order by epoch`)
}

export type NewArchive = Pick<ArchiveRow, 'system' | 'timeline' | 'segmentBytes'>

/** Starts an archive and ends the previous one. */
export async function beginArchive(db: Db, row: NewArchive, now: Date): Promise<ArchiveRow> {
  await endArchive(db)
  return db.one(sql`
    insert into sql_databases.archives (system, timeline, segment_bytes, started_at)
    values (${row.system}, ${row.timeline}, ${row.segmentBytes}, ${now}) returning ${archiveColumns}`)
}

export async function endArchive(db: Db): Promise<void> {
  await db.run(sql`update sql_databases.archives set ended = true where not ended`)
}

/** Advances the recoverable time. Returns false if the archive has ended. */
export async function setCoveredUntil(db: Db, epoch: number, until: Date): Promise<boolean> {
  const changed = await db.run(sql`
    update sql_databases.archives set covered_until = greatest(covered_until, ${until})
    where epoch = ${epoch} and not ended`)
  return changed === 1
}

/** A range of WAL in a blob. */
export interface WalChunk {
  readonly id: string
  readonly start: Lsn
  readonly end: Lsn
  /** Lower bound of its commit times, by the clock of the SQL host. */
  readonly sentAt: Date
}

interface WalChunkRow extends Omit<WalChunk, 'start' | 'end'> {
  readonly start: string
  readonly end: string
}

const chunkColumns = sql`id, start_lsn::text as start, end_lsn::text as end, sent_at as "sentAt"`
const toChunk = (row: WalChunkRow): WalChunk => ({ ...row, start: BigInt(row.start), end: BigInt(row.end) })

/** End of the archived WAL; undefined if there is none yet. */
export async function endOf(db: ReadingDb, epoch: number): Promise<Lsn | undefined> {
  const { end } = await db.one<{ end: string | null }>(sql`
    select max(end_lsn)::text as end from sql_databases.archive_pieces where epoch = ${epoch}`)
  return end === null ? undefined : BigInt(end)
}

/** When the chunk that contains an LSN began, if it is archived. */
export async function sentAt(db: ReadingDb, epoch: number, lsn: Lsn): Promise<Date | undefined> {
  const row = await db.maybe<{ at: Date }>(sql`
    select sent_at as at from sql_databases.archive_pieces
    where epoch = ${epoch} and start_lsn <= ${String(lsn)} and end_lsn > ${String(lsn)} order by sent_at limit 1`)
  return row?.at
}

/** Adds a chunk and returns those it replaces, which it contains. False if the archive has ended. */
export async function addChunk(db: Db, epoch: number, row: WalChunk): Promise<WalChunk[] | false> {
  const active = await db.maybe(sql`select from sql_databases.archives where epoch = ${epoch} and not ended for share`)
  if (!active) return false
  const replaced = await db.many<WalChunkRow>(sql`
    delete from sql_databases.archive_pieces
    where epoch = ${epoch} and start_lsn >= ${String(row.start)} and end_lsn <= ${String(row.end)}
    returning ${chunkColumns}`)
  await db.run(sql`
    insert into sql_databases.archive_pieces (epoch, start_lsn, end_lsn, sent_at, id)
    values (${epoch}, ${String(row.start)}, ${String(row.end)}, ${row.sentAt}, ${row.id})`)
  return replaced.map(toChunk)
}

/** Returns chunks from an LSN on that began until a time: later WAL has no earlier commits. */
export async function chunksFrom(db: ReadingDb, epoch: number, from: Lsn, until: Date): Promise<WalChunk[]> {
  const rows = await db.many<WalChunkRow>(sql`
    select ${chunkColumns} from sql_databases.archive_pieces
    where epoch = ${epoch} and end_lsn > ${String(from)} and sent_at <= ${until} order by start_lsn, end_lsn`)
  return rows.map(toChunk)
}

/** Deletes an ended archive if it is empty. */
export async function removeArchive(db: Db, epoch: number): Promise<void> {
  await db.run(sql`
    delete from sql_databases.archives as a where epoch = ${epoch} and ended
      and not exists (select from sql_databases.archive_pieces p where p.epoch = a.epoch)
      and not exists (select from sql_databases.archive_bases b where b.epoch = a.epoch)`)
}

/** A base backup of the server. */
export interface BaseBackup {
  readonly epoch: number
  readonly id: string
  readonly start: Lsn
  /** Earliest recoverable time, by the clock of the SQL host. */
  readonly usableFrom: Date
  readonly superuser: string
  readonly major: number
  readonly bytes: number
  readonly createdAt: Date
}

type BaseBackupRow = Omit<BaseBackup, 'start'> & { readonly start: string }

const backupColumns = sql`b.epoch, b.id, b.start_lsn::text as start, b.usable_from as "usableFrom", b.superuser, b.major,
  b.bytes::float8 as bytes, b.created_at as "createdAt"`
const toBackup = (row: BaseBackupRow): BaseBackup => ({ ...row, start: BigInt(row.start) })

export async function addBaseBackup(db: Db, row: BaseBackup): Promise<void> {
  await db.run(sql`
    insert into sql_databases.archive_bases (epoch, id, start_lsn, usable_from, superuser, major, bytes, created_at)
    values (${row.epoch}, ${row.id}, ${String(row.start)}, ${row.usableFrom}, ${row.superuser}, ${row.major},
      ${row.bytes}, ${row.createdAt})`)
}

/** Returns the base backups of an archive, oldest first. */
export async function baseBackupsOf(db: ReadingDb, epoch: number): Promise<BaseBackup[]> {
  const rows = await db.many<BaseBackupRow>(sql`
    select ${backupColumns} from sql_databases.archive_bases b where epoch = ${epoch} order by usable_from`)
  return rows.map(toBackup)
}

/** Returns the base backup with the least WAL to replay up to a time; undefined if it is not recoverable. */
export async function baseBackupFor(db: ReadingDb, at: Date): Promise<BaseBackup | undefined> {
  const row = await db.maybe<BaseBackupRow>(sql`
    select ${backupColumns} from sql_databases.archive_bases b join sql_databases.archives a using (epoch)
    where b.usable_from <= ${at} and a.covered_until >= ${at} order by b.usable_from desc limit 1`)
  return row && toBackup(row)
}

export async function removeBaseBackup(db: Db, { epoch, id }: BaseBackup): Promise<void> {
  await db.run(sql`delete from sql_databases.archive_bases where epoch = ${epoch} and id = ${id}`)
}

/** Returns the recoverable time ranges of a host: between two archives there is a gap. */
export function recoveryWindows(db: ReadingDb, system: string): Promise<{ readonly from: Date; readonly to: Date }[]> {
  return db.many(sql`
    select min(b.usable_from) as from, a.covered_until as to
    from sql_databases.archives a join sql_databases.archive_bases b using (epoch) where a.system = ${system}
    group by a.epoch having min(b.usable_from) <= a.covered_until order by a.epoch`)
}

/** A database with a continuous backup. */
export interface ArchivedDatabase {
  readonly tenant: string
  /** Id of the recovery point. */
  readonly id: string
  readonly physical: string
  readonly keepDays: number
  /** By the clock of the SQL host; null until it is in the archive. */
  readonly since: Date | null
  /** The SQL host whose archive it is in; null until it is. */
  readonly host: string | null
}

const databaseColumns = sql`tenant, id, physical, keep_days as "keepDays", since, host`

export function findArchived(db: ReadingDb, tenant: string, id: string): Promise<ArchivedDatabase | undefined> {
  return db.maybe(
    sql`select ${databaseColumns} from sql_databases.kept_databases where tenant = ${tenant} and id = ${id}`,
  )
}

export async function putArchived(db: Db, row: Omit<ArchivedDatabase, 'since' | 'host'>, now: Date): Promise<void> {
  await db.run(sql`
    insert into sql_databases.kept_databases (tenant, id, physical, keep_days, created_at)
    values (${row.tenant}, ${row.id}, ${row.physical}, ${row.keepDays}, ${now})
    on conflict (tenant, id) do update set keep_days = excluded.keep_days`)
}

/** On another host, it is archived anew: what was archived of the former is not in this archive. */
export async function setSince(
  db: Db,
  { tenant, id }: Pick<ArchivedDatabase, 'tenant' | 'id'>,
  { since, host }: { readonly since: Date; readonly host: string },
): Promise<void> {
  await db.run(sql`
    update sql_databases.kept_databases set since = ${since}, host = ${host}
    where tenant = ${tenant} and id = ${id} and host is distinct from ${host}`)
}

export async function removeArchived(db: Db, tenant: string, id: string): Promise<void> {
  await db.run(sql`delete from sql_databases.kept_databases where tenant = ${tenant} and id = ${id}`)
}

/** Returns the oldest time within a retention period; undefined without archived databases. */
export async function retainedFrom(db: ReadingDb, now: Date, retentionDays: number): Promise<Date | undefined> {
  const row = await db.one<{ from: Date | null }>(sql`
    select min(greatest(coalesce(since, '-infinity'), ${now}::timestamptz - days * interval '1 day')) as from
    from (${keptRows()} union all ${retainedRows(retentionDays)}) as archived`)
  return row.from ?? undefined
}
