import { type Db, type ReadingDb, raw, sql } from '@icosa/kernel'

/** A table partitioned by id ranges, and the table whose sequence assigns the ids. */
export interface Partitioned {
  readonly table: 'ledger_postings' | 'payments'
  readonly idsOf: 'ledger_transactions' | 'payments'
  /** Ids per transaction. */
  readonly perTransaction: number
}

export const partitioned: readonly Partitioned[] = [
  { table: 'ledger_postings', idsOf: 'ledger_transactions', perTransaction: 1 },
  { table: 'payments', idsOf: 'payments', perTransaction: 2 },
]

export interface Partition {
  readonly table: Partitioned['table']
  readonly name: string
  /** Exclusive upper bound of its ids. */
  readonly until: number
  readonly isClosed: boolean
  readonly isSorted: boolean
  readonly rows: number
  readonly bytes: number
  readonly tablespace: string
}

/** Oldest first. */
export async function listPartitions(db: ReadingDb, { table }: Pick<Partitioned, 'table'>): Promise<Partition[]> {
  return db.many(sql`
    select ${table} as table, c.relname as name, bound.until, greatest(c.reltuples, 0)::float8 as rows,
      pg_total_relation_size(c.oid)::float8 as bytes, coalesce(s.spcname, 'pg_default') as tablespace,
      exists (select 1 from pg_constraint k where k.conrelid = c.oid and k.conname = 'closed') as "isClosed",
      exists (select 1 from pg_index x where x.indrelid = c.oid and x.indisclustered) as "isSorted"
    from pg_inherits i join pg_class c on c.oid = i.inhrelid left join pg_tablespace s on s.oid = c.reltablespace
    cross join lateral (
      select (regexp_match(pg_get_expr(c.relpartbound, c.oid), 'TO \\(''?([0-9]+)''?\\)'))[1]::float8 as until) as bound
    where i.inhparent = ${`banking.${table}`}::regclass order by bound.until`)
}

export async function lastId(db: ReadingDb, { idsOf }: Pick<Partitioned, 'idsOf'>): Promise<number> {
  const { last } = await db.one<{ last: number }>(sql`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${`banking.${idsOf}`}, 'id')::regclass), 0)::float8 as last`)
  return last
}

/** Attaches a new table instead of creating it as a partition, which would block concurrent postings. */
export async function addPartition(db: Db, { table }: Partitioned, from: number, until: number): Promise<void> {
  const name = `banking.${table}_${from}`
  await db.script(`
    set local lock_timeout = '2s';
    create table ${name} (like banking.${table} including defaults including constraints);
    alter table banking.${table} attach partition ${name} for values from (${from}) to (${until})`)
}

/** Rejects all further rows. */
export async function closePartition(db: Db, { name }: Partition): Promise<void> {
  await db.script(`
    set local lock_timeout = '2s';
    alter table banking.${name} add constraint closed check (false) not valid`)
}

/** Sums up a closed partition of postings, unless already done. Its rows no longer change, so no lock is needed. */
export async function writeClosing(db: Db, { name, until }: Partition): Promise<void> {
  await db.run(sql`
    insert into banking.ledger_closings (tenant, account_id, until, amount)
    select tenant, account_id, ${until}::bigint, sum(amount) from ${raw(`banking.${name}`)}
    where not exists (select 1 from banking.ledger_closings where until = ${until}::bigint)
    group by tenant, account_id`)
}

/** Returns closings that are not the sum of their postings. */
export async function closingMismatches(db: ReadingDb, tenant: string): Promise<{ account: string; until: string }[]> {
  return db.many(sql`
    with bounds as (
      select until, lag(until, 1, 0::bigint) over (order by until) as since
      from (select distinct until from banking.ledger_closings where tenant = ${tenant}) closed),
    posted as (
      select bounds.until, p.account_id, sum(p.amount) as amount
      from bounds join banking.ledger_postings p on p.transaction_id >= bounds.since and p.transaction_id < bounds.until
      where p.tenant = ${tenant} group by 1, 2)
    select coalesce(posted.account_id, stored.account_id)::text as account, until::text as until
    from posted full join (select * from banking.ledger_closings where tenant = ${tenant}) stored
      using (account_id, until) where posted.amount is distinct from stored.amount`)
}

/**
 * Replaces a closed partition with a copy in the given tablespace, clustered by account: in insertion order, a page of payments
 * would be spread over as many blocks as it has rows. Reads and writes continue during the copy; only the final swap locks.
 */
export async function rewritePartition(db: Db, partition: Partition, tablespace = partition.tablespace): Promise<void> {
  const { table, name } = partition
  const [parent, old, copy] = [`banking.${table}`, `banking.${name}`, `banking.${name}_copy`]
  const definition = await db.one<{
    bound: string
    within: string
    columns: string
    key: string
    indexes: string[]
    foreignKeys: string[]
  }>(sql`
    select pg_get_expr(c.relpartbound, c.oid) as bound, pg_get_partition_constraintdef(c.oid) as within,
      (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
        where attrelid = i.inhparent and attnum > 0 and not attisdropped) as columns,
      (select substring(pg_get_constraintdef(oid) from '\\((.*)\\)') from pg_constraint
        where conrelid = i.inhparent and contype = 'p') as key,
      array(select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX .* USING', ${`INDEX ON ${copy} USING`}) from pg_index
        where indrelid = i.inhparent and not indisprimary) as indexes,
      array(select pg_get_constraintdef(oid) from pg_constraint where conrelid = i.inhparent and contype = 'f') as "foreignKeys"
    from pg_class c join pg_inherits i on i.inhrelid = c.oid where c.oid = ${old}::regclass`)
  await db.run(sql`select set_config('default_tablespace', ${tablespace === 'pg_default' ? '' : tablespace}, true)`)
  await db.script(`
    set local lock_timeout = '10s';
    set local work_mem = '256MB';
    lock table ${old} in share mode;
    create table ${copy} (like ${parent} including defaults including constraints);
    insert into ${copy} (${definition.columns}) select ${definition.columns} from ${old} order by ${definition.key};
    alter table ${copy} add constraint ${name}_copy_pkey primary key (${definition.key});
    ${definition.indexes.map((index) => `${index};`).join('\n')}
    alter table ${copy} cluster on ${name}_copy_pkey, add constraint within check (${definition.within});
    analyze ${copy};
    ${definition.foreignKeys.map((key) => `alter table ${copy} add ${key};`).join('\n')}
    drop table ${old};
    alter table ${copy} rename to ${name};
    alter table ${old} rename constraint ${name}_copy_pkey to ${name}_pkey;
    alter table ${parent} attach partition ${old} ${definition.bound};
    alter table ${old} drop constraint within`)
  await closePartition(db, partition)
}

export async function hasTablespace(db: ReadingDb, name: string): Promise<boolean> {
  const rows = await db.many(sql`select 1 from pg_tablespace where spcname = ${name}`)
  return rows.length > 0
}
