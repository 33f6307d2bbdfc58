import { completeBefore, type Db, type ReadingDb, sql, transactionOrder } from '@icosa/kernel'
import type { ModelKind } from '../catalog/model-store.ts'
import { arrayOf, documentEnd, documents } from '../shapes/array.ts'

export type EntryKind = 'transition' | 'failure' | 'error' | 'message'

/** Unique position of a message in the mailbox. */
export interface MailboxPosition {
  readonly segment: string
  readonly position: number
}

export interface NewEntry {
  readonly tenant: string
  readonly kind: EntryKind
  readonly modelKind: ModelKind
  readonly modelName: string
  readonly version: number
  readonly key: string
  /** In epoch milliseconds. */
  readonly at: number
  readonly entry: object
  /** The causing message, if any; unique with `ordinal`. */
  readonly source: MailboxPosition | undefined
  readonly ordinal: number
}

export async function write(db: Db, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  await db.run(sql`
    insert into event_detection.journal
      (tenant, xact, kind, model_kind, model_name, version, key, at, entry, segment, position, ordinal)
    select tenant, ${transactionOrder(sql`written.tenant`)}, kind, model_kind, model_name, version, key, to_timestamp(at / 1000.0), entry::json, segment, position,
      ordinal
    from unnest(${arrayOf(entries.map(({ tenant }) => tenant))}::text[], ${arrayOf(entries.map(({ kind }) => kind))}::text[],
      ${arrayOf(entries.map(({ modelKind }) => modelKind))}::text[], ${arrayOf(entries.map(({ modelName }) => modelName))}::text[],
      ${arrayOf(entries.map(({ version }) => version))}::int[], ${arrayOf(entries.map(({ key }) => key))}::text[],
      ${arrayOf(entries.map(({ at }) => at))}::bigint[],
      string_to_array(${documents(entries.map(({ entry }) => entry))}, ${documentEnd}),
      ${arrayOf(entries.map(({ source }) => source?.segment ?? null))}::bigint[],
      ${arrayOf(entries.map(({ source }) => source?.position ?? null))}::int[],
      ${arrayOf(entries.map(({ ordinal }) => ordinal))}::int[])
      as written(tenant, kind, model_kind, model_name, version, key, at, entry, segment, position, ordinal)`)
}

export interface StoredEntry {
  readonly kind: EntryKind
  readonly modelKind: ModelKind
  readonly modelName: string
  readonly version: number
  readonly key: string
  readonly at: Date
  readonly entry: Readonly<Record<string, unknown>>
  readonly xact: string
  readonly number: string
}

export const columns = sql`kind, model_kind as "modelKind", model_name as "modelName", version, key, at, entry,
  journal.xact::text, journal.number::text`

/** Position after an entry. */
export type Cursor = Pick<StoredEntry, 'xact' | 'number'>

/** Position after all committed entries. */
export async function latest(db: ReadingDb, tenant: string): Promise<Cursor> {
  const { xact } = await db.one<{ xact: string }>(sql`select ${completeBefore(sql`${tenant}`)}::text as xact`)
  return { xact, number: '0' }
}

/**
 * Entries after a position, in the order in which their transactions started. Entries that uncommitted ones may still precede
 * are omitted, so that a reader misses none.
 */
export function following(
  db: ReadingDb,
  tenant: string,
  { xact, number }: Cursor,
  limit: number,
): Promise<StoredEntry[]> {
  return db.many(sql`
    select ${columns} from event_detection.journal
    where tenant = ${tenant} and (xact, number) > (${xact}::xid8, ${number}::bigint)
      and xact < ${completeBefore(sql`${tenant}`)}
    order by journal.xact, journal.number limit ${limit}`)
}

/** The last entries before a position, in ascending order. */
export async function preceding(
  db: ReadingDb,
  tenant: string,
  { xact }: Cursor,
  count: number,
): Promise<StoredEntry[]> {
  if (count === 0) return []
  const rows = await db.many<StoredEntry>(sql`
    select ${columns} from event_detection.journal
    where tenant = ${tenant} and xact < ${xact}::xid8 order by journal.xact desc, journal.number desc limit ${count}`)
  return rows.reverse()
}

/** Detaches a tenant's entries from messages, which are numbered by the installation that received them. */
export async function forgetMessages(db: Db, tenant: string): Promise<void> {
  await db.run(sql`
    update event_detection.journal set segment = null, position = null where tenant = ${tenant} and segment is not null`)
}
