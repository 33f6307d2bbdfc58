import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Lsn } from './lsn.ts'

/** The log of the SQL host, from one moment on and without a gap. */
export interface ArchiveRow {
  readonly epoch: number
  readonly system: string
  readonly timeline: number
  readonly segmentBytes: number
  /** By the clock of the SQL host. */
  readonly coveredUntil: Date | null
  readonly ended: boolean
}

const archive = sql`epoch, system, timeline, segment_bytes as "segmentBytes", covered_until as "coveredUntil", ended`

/** The one that is being written, if any. */
export function live(db: ReadingDb): Promise<ArchiveRow | undefined> {
  return db.maybe(sql`select ${archive} from sql_databases.archives where not ended`)
}

export function all(db: ReadingDb): Promise<ArchiveRow[]> {
  return db.many(sql`select ${archive} from sql_databases.archives order by epoch`)
}

export type NewArchive = Pick<ArchiveRow, 'system' | 'timeline' | 'segmentBytes'>

/** In place of the one before, if there was one. */
export async function beginArchive(db: Db, row: NewArchive, now: Date): Promise<ArchiveRow> {
  await endArchive(db)
  return db.one(sql`
    insert into sql_databases.archives (system, timeline, segment_bytes, started_at)
    values (${row.system}, ${row.timeline}, ${row.segmentBytes}, ${now}) returning ${archive}`)
}

export async function endArchive(db: Db): Promise<void> {
  await db.run(sql`update sql_databases.archives set ended = true where not ended`)
}

/** False if it has ended. */
export async function setCovered(db: Db, epoch: number, until: Date): Promise<boolean> {
  const changed = await db.run(sql`
    update sql_databases.archives set covered_until = greatest(covered_until, ${until})
    where epoch = ${epoch} and not ended`)
  return changed === 1
}

/** A part of the log in a blob. */
export interface Piece {
  readonly id: string
  readonly start: Lsn
  readonly end: Lsn
  /** When it began to be received, by the clock of the SQL host. */
  readonly sentAt: Date
}

interface PieceRow extends Omit<Piece, 'start' | 'end'> {
  readonly start: string
  readonly end: string
}

const piece = sql`id, start_lsn::text as start, end_lsn::text as end, sent_at as "sentAt"`
const toPiece = (row: PieceRow): Piece => ({ ...row, start: BigInt(row.start), end: BigInt(row.end) })

/** Where the log that is kept ends; undefined if there is none yet. */
export async function endOf(db: ReadingDb, epoch: number): Promise<Lsn | undefined> {
  const { end } = await db.one<{ end: string | null }>(sql`
    select max(end_lsn)::text as end from sql_databases.archive_pieces where epoch = ${epoch}`)
  return end === null ? undefined : BigInt(end)
}

/** When the piece began that has this place in it, if it is there already. */
export async function sentAt(db: ReadingDb, epoch: number, lsn: Lsn): Promise<Date | undefined> {
  const row = await db.maybe<{ at: Date }>(sql`
    select sent_at as at from sql_databases.archive_pieces
    where epoch = ${epoch} and start_lsn <= ${String(lsn)} and end_lsn > ${String(lsn)} order by sent_at limit 1`)
  return row?.at
}

/** A piece, instead of those that it has in it: they are answered. False if the archive has ended. */
export async function addPiece(db: Db, epoch: number, row: Piece): Promise<Piece[] | false> {
  const alive = await db.maybe(sql`select from sql_databases.archives where epoch = ${epoch} and not ended for share`)
  if (!alive) return false
  const replaced = await db.many<PieceRow>(sql`
    delete from sql_databases.archive_pieces
    where epoch = ${epoch} and start_lsn >= ${String(row.start)} and end_lsn <= ${String(row.end)}
    returning ${piece}`)
  await db.run(sql`
    insert into sql_databases.archive_pieces (epoch, start_lsn, end_lsn, sent_at, id)
    values (${epoch}, ${String(row.start)}, ${String(row.end)}, ${row.sentAt}, ${row.id})`)
  return replaced.map(toPiece)
}

/** Those from a place on that were begun until a time: the log after it says nothing about what was before. */
export async function piecesFrom(db: ReadingDb, epoch: number, from: Lsn, until: Date): Promise<Piece[]> {
  const rows = await db.many<PieceRow>(sql`
    select ${piece} from sql_databases.archive_pieces
    where epoch = ${epoch} and end_lsn > ${String(from)} and sent_at <= ${until} order by start_lsn, end_lsn`)
  return rows.map(toPiece)
}

/** Once nothing is left of it. */
export async function removeArchive(db: Db, epoch: number): Promise<void> {
  await db.run(sql`
    delete from sql_databases.archives as a where epoch = ${epoch} and ended
      and not exists (select from sql_databases.archive_pieces p where p.epoch = a.epoch)
      and not exists (select from sql_databases.archive_bases b where b.epoch = a.epoch)`)
}

/** A copy of the whole server. */
export interface Base {
  readonly epoch: number
  readonly id: string
  readonly start: Lsn
  /** By the clock of the SQL host: what is asked for must not be before. */
  readonly usableFrom: Date
  readonly superuser: string
  readonly major: number
  readonly bytes: number
  readonly createdAt: Date
}

type BaseRow = Omit<Base, 'start'> & { readonly start: string }

const base = sql`b.epoch, b.id, b.start_lsn::text as start, b.usable_from as "usableFrom", b.superuser, b.major,
  b.bytes::float8 as bytes, b.created_at as "createdAt"`
const toBase = (row: BaseRow): Base => ({ ...row, start: BigInt(row.start) })

export async function addBase(db: Db, row: Base): Promise<void> {
  await db.run(sql`
    insert into sql_databases.archive_bases (epoch, id, start_lsn, usable_from, superuser, major, bytes, created_at)
    values (${row.epoch}, ${row.id}, ${String(row.start)}, ${row.usableFrom}, ${row.superuser}, ${row.major},
      ${row.bytes}, ${row.createdAt})`)
}

/** The oldest first. */
export async function basesOf(db: ReadingDb, epoch: number): Promise<Base[]> {
  const rows = await db.many<BaseRow>(sql`
    select ${base} from sql_databases.archive_bases b where epoch = ${epoch} order by usable_from`)
  return rows.map(toBase)
}

/** The copy from which the server is soonest as it was then; undefined if no copy and log lead there. */
export async function baseFor(db: ReadingDb, at: Date): Promise<Base | undefined> {
  const row = await db.maybe<BaseRow>(sql`
    select ${base} from sql_databases.archive_bases b join sql_databases.archives a using (epoch)
    where b.usable_from <= ${at} and a.covered_until >= ${at} order by b.usable_from desc limit 1`)
  return row && toBase(row)
}

export async function removeBase(db: Db, { epoch, id }: Base): Promise<void> {
  await db.run(sql`delete from sql_databases.archive_bases where epoch = ${epoch} and id = ${id}`)
}

/** Of which times the server can be had: where one archive ends and the next begins, there is a gap. */
export function spans(db: ReadingDb): Promise<{ readonly from: Date; readonly to: Date }[]> {
  return db.many(sql`
    select min(b.usable_from) as from, a.covered_until as to
    from sql_databases.archives a join sql_databases.archive_bases b using (epoch)
    group by a.epoch having min(b.usable_from) <= a.covered_until order by a.epoch`)
}

/** A database that the archive is kept for. */
export interface KeptDatabase {
  readonly tenant: string
  /** Of the recovery point. */
  readonly id: string
  readonly physical: string
  readonly keepDays: number
  /** By the clock of the SQL host; null until it is in the archive. */
  readonly since: Date | null
}

const kept = sql`tenant, id, physical, keep_days as "keepDays", since`

export function findKept(db: ReadingDb, tenant: string, id: string): Promise<KeptDatabase | undefined> {
  return db.maybe(sql`select ${kept} from sql_databases.kept_databases where tenant = ${tenant} and id = ${id}`)
}

export async function putKept(db: Db, row: Omit<KeptDatabase, 'since'>, now: Date): Promise<void> {
  await db.run(sql`
    insert into sql_databases.kept_databases (tenant, id, physical, keep_days, created_at)
    values (${row.tenant}, ${row.id}, ${row.physical}, ${row.keepDays}, ${now})
    on conflict (tenant, id) do update set keep_days = excluded.keep_days`)
}

export async function setSince(db: Db, tenant: string, id: string, since: Date): Promise<void> {
  await db.run(sql`
    update sql_databases.kept_databases set since = ${since} where tenant = ${tenant} and id = ${id} and since is null`)
}

export async function removeKept(db: Db, tenant: string, id: string): Promise<void> {
  await db.run(sql`delete from sql_databases.kept_databases where tenant = ${tenant} and id = ${id}`)
}

/** From when on anybody may ask for a time; undefined if nobody may. */
export async function neededFrom(db: ReadingDb, now: Date): Promise<Date | undefined> {
  const row = await db.one<{ from: Date | null }>(sql`
    select min(greatest(coalesce(since, '-infinity'), ${now}::timestamptz - keep_days * interval '1 day')) as from
    from sql_databases.kept_databases`)
  return row.from ?? undefined
}
