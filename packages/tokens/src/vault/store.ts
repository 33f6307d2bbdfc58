import { type Db, join, lockName, type ReadingDb, raw, type SealedColumn, sql } from '@icosa/kernel'

/** A data key, as stored. */
export interface DataKey {
  readonly purpose: 'seal' | 'derive'
  readonly id: string
  /** ID of the first master key when it was created. */
  readonly madeFor: string
  readonly inUse: boolean
  /** By the ID of each master key that can unwrap it. */
  readonly wrapped: Readonly<Record<string, string>>
}

/** Oldest first. */
export const read = (db: ReadingDb): Promise<DataKey[]> =>
  db.many(sql`
    select purpose, id, made_for as "madeFor", used_from <= clock_timestamp() as "inUse", wrapped
    from icosa.data_keys order by generation`)

/** Serializes changes of data keys. */
export const lock = (db: Db) => lockName(db, 'icosa data keys')

export async function insert(db: Db, row: Omit<DataKey, 'inUse'>, aheadMs: number): Promise<void> {
  await db.run(sql`
    insert into icosa.data_keys (purpose, id, made_for, used_from, wrapped)
    values (${row.purpose}, ${row.id}, ${row.madeFor}, clock_timestamp() + ${aheadMs} * interval '1 ms', ${row.wrapped})`)
}

/** Whether master keys themselves may have sealed values here. */
export async function isOlderThanDataKeys(db: ReadingDb): Promise<boolean> {
  return (await db.one<{ older: boolean }>(sql`select master_keys as older from icosa.data_key_origin`)).older
}

/** Columns whose tables exist in this database: a service may never have run here. */
export async function existing(db: ReadingDb, sealed: readonly SealedColumn[]): Promise<SealedColumn[]> {
  const columns: SealedColumn[] = []
  for (const column of sealed)
    if (await db.maybe(sql`select 1 where to_regclass(${column.table}) is not null`)) columns.push(column)
  return columns
}

/** ID of another key that sealed a value of this column. */
export async function otherKey(
  db: ReadingDb,
  { table, column }: SealedColumn,
  ids: readonly string[],
): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select id from (select encode(substring(${raw(column)} from 1 for 4), 'hex') as id from ${raw(table)}) as used
    where id not in (${join(ids)}) limit 1`)
  return row?.id
}
