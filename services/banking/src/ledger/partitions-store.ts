import { type Db, type ReadingDb, raw, sql } from '@icosa/kernel'

/** A table in partitions by ranges of ids, and whose column the ids come from. */
export interface Partitioned {
  readonly table: 'ledger_postings' | 'payments'
  readonly idsOf: 'ledger_transactions' | 'payments'
  /** How many ids a transaction takes. */
  readonly perTransaction: number
}

export const partitioned: readonly Partitioned[] = [
  { table: 'ledger_postings', idsOf: 'ledger_transactions', perTransaction: 1 },
  { table: 'payments', idsOf: 'payments', perTransaction: 2 },
]

export interface Partition {
  readonly table: Partitioned['table']
  readonly name: string
  /** The first id that is not in it. */
  readonly until: number
  readonly isClosed: boolean
  readonly isSorted: boolean
  readonly rows: number
  readonly bytes: number
  readonly tablespace: string
}

/** The oldest first. */
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

/** Whoever posts meanwhile does not wait: a table that is attached, unlike one that is made as a partition, locks nobody out. */
export async function addPartition(db: Db, { table }: Partitioned, from: number, until: number): Promise<void> {
  const name = `banking.${table}_${from}`
  await db.script(`
    set local lock_timeout = '2s';
    create table ${name} (like banking.${table} including defaults including constraints);
    alter table banking.${table} attach partition ${name} for values from (${from}) to (${until})`)
}

/** From now on it takes no row. */
export async function closePartition(db: Db, { name }: Partition): Promise<void> {
  await db.script(`
    set local lock_timeout = '2s';
    alter table banking.${name} add constraint closed check (false) not valid`)
}

/** Sums up a closed partition of postings, unless that was done. Nothing changes there any more, so nobody is locked out. */
export async function writeClosing(db: Db, { name, until }: Partition): Promise<void> {
  await db.run(sql`
    insert into banking.ledger_closings (tenant, account_id, until, amount)
    select tenant, account_id, ${until}::bigint, sum(amount) from ${raw(`banking.${name}`)}
    where not exists (select 1 from banking.ledger_closings where until = ${until}::bigint)
    group by tenant, account_id`)
}

/** Closings that are not what their postings sum to. */
export async function wrongClosings(db: ReadingDb, tenant: string): Promise<{ account: string; until: string }[]> {
  return db.many(sql`
    with bounds as (
      select until, lag(until, 1, 0::bigint) over (order by until) as since
      from (select distinct until from banking.ledger_closings where tenant = ${tenant}) closed),
    posted as (
      select bounds.until, p.account_id, sum(p.amount) as amount
      from bounds join banking.ledger_postings p on p.transaction_id >= bounds.since and p.transaction_id < bounds.until
      where p.tenant = ${tenant} group by 1, 2)
    select coalesce(posted.account_id, kept.account_id)::text as account, until::text as until
    from posted full join (select * from banking.ledger_closings where tenant = ${tenant}) kept
      using (account_id, until) where posted.amount is distinct from kept.amount`)
}

/**
 * Puts a copy in the place of a closed partition, in the tablespace that is named. The rows of each account lie side by side
 * there, as they are read; as they came, those of a page are in as many blocks as it has rows. Whoever pays or reads goes on
 * while it is written, and only the exchange at the end locks them out.
 */
export async function rewritePartition(db: Db, partition: Partition, tablespace = partition.tablespace): Promise<void> {
  const { table, name } = partition
  const [parent, old, copy] = [`banking.${table}`, `banking.${name}`, `banking.${name}_copy`]
  const like = await db.one<{
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
    insert into ${copy} (${like.columns}) select ${like.columns} from ${old} order by ${like.key};
    alter table ${copy} add constraint ${name}_copy_pkey primary key (${like.key});
    ${like.indexes.map((index) => `${index};`).join('\n')}
    alter table ${copy} cluster on ${name}_copy_pkey, add constraint within check (${like.within});
    analyze ${copy};
    ${like.foreignKeys.map((key) => `alter table ${copy} add ${key};`).join('\n')}
    drop table ${old};
    alter table ${copy} rename to ${name};
    alter table ${old} rename constraint ${name}_copy_pkey to ${name}_pkey;
    alter table ${parent} attach partition ${old} ${like.bound};
    alter table ${old} drop constraint within`)
  await closePartition(db, partition)
}

export async function hasTablespace(db: ReadingDb, name: string): Promise<boolean> {
  const found = await db.many(sql`select 1 from pg_tablespace where spcname = ${name}`)
  return found.length > 0
}
