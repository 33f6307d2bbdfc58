import { type Db, join, lockName, type ReadingDb, raw, type SealedColumn, sql } from '@icosa/kernel'

/** A key that the platform made for itself, as its row has it. */
export interface DataKey {
  readonly purpose: 'seal' | 'derive'
  readonly id: string
  /** The id of the master key that came first when it was made. */
  readonly madeFor: string
  readonly inUse: boolean
  /** By the id of each master key that opens it. */
  readonly wrapped: Readonly<Record<string, string>>
}

/** The oldest first. */
export const read = (db: ReadingDb): Promise<DataKey[]> =>
  db.many(sql`
    select purpose, id, made_for as "madeFor", used_from <= clock_timestamp() as "inUse", wrapped
    from icosa.data_keys order by generation`)

/** Whoever changes data keys does it alone. */
export const lock = (db: Db) => lockName(db, 'icosa data keys')

export async function insert(db: Db, row: Omit<DataKey, 'inUse'>, aheadMs: number): Promise<void> {
  await db.run(sql`
    insert into icosa.data_keys (purpose, id, made_for, used_from, wrapped)
    values (${row.purpose}, ${row.id}, ${row.madeFor}, clock_timestamp() + ${aheadMs} * interval '1 ms', ${row.wrapped})`)
}

/** Whether master keys themselves may have sealed something here. */
export async function isOlderThanDataKeys(db: ReadingDb): Promise<boolean> {
  return (await db.one<{ older: boolean }>(sql`select master_keys as older from icosa.data_key_origin`)).older
}

/** Those whose tables are in this database: a service may never have been here. */
export async function existing(db: ReadingDb, sealed: readonly SealedColumn[]): Promise<SealedColumn[]> {
  const found: SealedColumn[] = []
  for (const column of sealed)
    if (await db.maybe(sql`select 1 where to_regclass(${column.table}) is not null`)) found.push(column)
  return found
}

/** The id of a key that sealed a value of this column, other than these. */
export async function otherKey(
  db: ReadingDb,
  { table, column }: SealedColumn,
  ids: readonly string[],
): Promise<string | undefined> {
  const found = await db.maybe<{ id: string }>(sql`
    select id from (select encode(substring(${raw(column)} from 1 for 4), 'hex') as id from ${raw(table)}) as used
    where id not in (${join(ids)}) limit 1`)
  return found?.id
}
