import { type Database, type Db, join, type ReadingDb, raw, type SealedColumn, sql } from '@icosa/kernel'
import type { dataKeys } from '@icosa/tokens'

export interface Count {
  /** Data key id. */
  readonly id: string
  readonly values: number
}

/** A master key wrapped by a token's key. */
export async function wrappedMasterKey(db: ReadingDb, name: string): Promise<Buffer | undefined> {
  const row = await db.maybe<{ wrapped: Buffer }>(sql`select wrapped from icosa.master_keys where name = ${name}`)
  return row?.wrapped
}

/** Stores a wrapped master key unless another node was faster; returns the stored one. */
export async function keepMasterKey(database: Database, name: string, wrapped: Buffer): Promise<Buffer> {
  await database.run(sql`
    insert into icosa.master_keys (name, wrapped) values (${name}, ${wrapped}) on conflict do nothing`)
  return (await wrappedMasterKey(database, name)) ?? wrapped
}

/** Number of a column's values by data key. */
export async function counts(db: Db, { table, column }: SealedColumn): Promise<Count[]> {
  return db.many(sql`
    select encode(substring(${raw(column)} from 1 for 4), 'hex') as id, count(*)::int as values
    from ${raw(table)} where ${raw(column)} is not null group by 1 order by 1`)
}

/** The table or its partitions, with their current number of blocks. */
export async function parts(db: Db, { table }: SealedColumn): Promise<{ name: string; blocks: number }[]> {
  return db.many(sql`
    select oid::regclass::text as name, (pg_relation_size(oid) / current_setting('block_size')::int)::int as blocks
    from pg_class where relkind = 'r'
      and (oid = ${table}::regclass or oid in (select relid from pg_partition_tree(${table}::regclass)))`)
}

export interface Found {
  /** The row's ctid, which is stable while the row is locked. */
  readonly at: string
  readonly sealed: Buffer
  /** Associated data of the encrypted value. */
  readonly context: string
}

export interface Blocks {
  readonly part: string
  readonly from: number
  readonly to: number
  readonly target: string
}

/** Locks the rows of some blocks whose values are sealed under another data key; skips locked rows. */
export async function lockBlocks(
  db: Db,
  { column, context }: SealedColumn,
  { part, from, to, target }: Blocks,
): Promise<Found[]> {
  const pieces = context.split(/\{(\w+)\}/).map((piece, n) => (n % 2 === 0 ? sql`${piece}::text` : sql`${raw(piece)}`))
  return db.many(sql`
    select ctid::text as at, ${raw(column)} as sealed, concat(${join(pieces)}) as context from ${raw(part)}
    where ${within('ctid', from, to)} and substring(${raw(column)} from 1 for 4) <> ${Buffer.from(target, 'hex')}
    for no key update skip locked`)
}

export async function replace(
  db: Db,
  { column }: SealedColumn,
  { part, from, to }: Blocks,
  fresh: readonly { readonly at: string; readonly sealed: Buffer }[],
): Promise<void> {
  await db.run(sql`
    update ${raw(part)} as kept set ${raw(column)} = fresh.sealed
    from unnest(${fresh.map(({ at }) => at)}::tid[], ${fresh.map(({ sealed }) => sealed)}::bytea[]) as fresh (at, sealed)
    where kept.ctid = fresh.at and ${within('kept.ctid', from, to)}`) // avoids a scan of the whole table
}

const within = (at: string, from: number, to: number) =>
  sql`${raw(at)} >= ${`(${from},0)`}::tid and ${raw(at)} < ${`(${to},0)`}::tid`

export async function setWrapped(
  db: Db,
  { purpose, id }: dataKeys.DataKey,
  wrapped: dataKeys.DataKey['wrapped'],
): Promise<void> {
  await db.run(sql`update icosa.data_keys set wrapped = ${wrapped} where purpose = ${purpose} and id = ${id}`)
}

/** Time until every node knows this data key and seals under it. */
export async function settlesInMs(db: Db, id: string, learnMs: number): Promise<number> {
  const { ms } = await db.one<{ ms: number }>(sql`
    select greatest(0, ceil(extract(epoch from used_from - clock_timestamp()) * 1000 + ${learnMs}::int))::int as ms
    from icosa.data_keys where purpose = 'seal' and id = ${id}`)
  return ms
}
