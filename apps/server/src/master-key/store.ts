import { type Database, type Db, empty, join, type ReadingDb, raw, type SealedColumn, sql } from '@icosa/kernel'
import type { dataKeys } from '@icosa/tokens'

export interface Count {
  /** Data key id, or `tenants` for all keys of tenants. */
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
    select coalesce(k.id, 'tenants') as id, sum(values)::int as values
    from (select encode(substring(${raw(column)} from 1 for 4), 'hex') as id, count(*) as values
      from ${raw(table)} where ${raw(column)} is not null group by 1) as counted
    left join icosa.data_keys k on purpose = 'seal' and k.id = counted.id group by 1 order by 1`)
}

/** Values of a column that are not sealed under the newest key of their owner. */
export interface Outdated {
  readonly column: SealedColumn
  /** ID of the data key of the cell, also for tenants without keys of their own. */
  readonly target: string
  /** Values of this tenant alone. */
  readonly tenant?: string | undefined
}

/** Condition on a row `kept`. */
function isOutdated({ column: { column, isOfCell }, target, tenant }: Outdated) {
  const current = sql`${Buffer.from(target, 'hex')}::bytea`
  const own = sql`(
    select decode(id, 'hex') from icosa.tenant_keys k where k.tenant = kept.tenant and purpose = 'seal'
      and used_from <= clock_timestamp() order by generation desc limit 1)`
  const differs = sql`substring(kept.${raw(column)} from 1 for 4) <>`
  if (isOfCell) return sql`${differs} ${current}`
  return sql`${differs} coalesce(${own}, ${current}) ${tenant === undefined ? empty : sql`and kept.tenant = ${tenant}`}`
}

export async function countOutdated(db: ReadingDb, values: Outdated): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from ${raw(values.column.table)} as kept where ${isOutdated(values)}`)
  return count
}

export interface Blocks {
  readonly part: string
  readonly from: number
  readonly to: number
}

/** Ranges of blocks that cover the table or its partitions; of one tenant, those with outdated values. */
export async function ranges(db: ReadingDb, values: Outdated, blocks: number): Promise<Blocks[]> {
  const { column, tenant } = values
  if (tenant !== undefined)
    return db.many(sql`
      select part, (n * ${blocks}::int)::int as from, ((n + 1) * ${blocks}::int)::int as to from (
        select distinct kept.tableoid::regclass::text as part, ((kept.ctid::text::point)[0]::bigint / ${blocks}::int) as n
        from ${raw(column.table)} as kept where ${isOutdated(values)}) as found order by part, n`)
  const parts = await db.many<{ part: string; blocks: number }>(sql`
    select oid::regclass::text as part, (pg_relation_size(oid) / current_setting('block_size')::int)::int as blocks
    from pg_class where relkind = 'r'
      and (oid = ${column.table}::regclass or oid in (select relid from pg_partition_tree(${column.table}::regclass)))`)
  return parts.flatMap(({ part, blocks: size }) =>
    Array.from({ length: Math.ceil(size / blocks) }, (_, n) => ({ part, from: n * blocks, to: (n + 1) * blocks })),
  )
}

export interface Found {
  /** The row's ctid, which is stable while the row is locked. */
  readonly at: string
  readonly sealed: Buffer
  /** Associated data of the encrypted value. */
  readonly context: string
  /** Null if it is the cell's. */
  readonly tenant: string | null
}

/** Locks the rows of some blocks with outdated values; skips locked rows. */
export async function lockBlocks(db: Db, values: Outdated, { part, from, to }: Blocks): Promise<Found[]> {
  const { column, context, isOfCell } = values.column
  const pieces = context.split(/\{(\w+)\}/).map((piece, n) => (n % 2 === 0 ? sql`${piece}::text` : sql`${raw(piece)}`))
  const tenant = isOfCell ? sql`null` : sql`kept.tenant`
  return db.many(sql`
    select ctid::text as at, ${raw(column)} as sealed, concat(${join(pieces)}) as context, ${tenant} as tenant
    from ${raw(part)} as kept where ${within('ctid', from, to)} and ${isOutdated(values)}
    for no key update of kept skip locked`)
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
