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
  readonly rows: number
  readonly bytes: number
  readonly tablespace: string
}

/** The oldest first. */
export async function listPartitions(db: ReadingDb, { table }: Pick<Partitioned, 'table'>): Promise<Partition[]> {
  return db.many(sql`
    select ${table} as table, c.relname as name, bound.until, greatest(c.reltuples, 0)::float8 as rows,
      pg_total_relation_size(c.oid)::float8 as bytes, coalesce(s.spcname, 'pg_default') as tablespace,
      exists (select 1 from pg_constraint k where k.conrelid = c.oid and k.conname = 'closed') as "isClosed"
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

/** Moves a partition and its indexes to another disk. Whoever reads it waits as long as that takes. */
export async function movePartition(db: Db, { name }: Partition, tablespace: string): Promise<void> {
  const indexes = await db.many<{ name: string }>(sql`
    select indexrelid::regclass::text as name from pg_index where indrelid = ${`banking.${name}`}::regclass`)
  const [to] = await db.many<{ quoted: string }>(sql`select quote_ident(${tablespace}) as quoted`)
  const moves = [`alter table banking.${name} set tablespace ${to?.quoted}`]
  for (const index of indexes) moves.push(`alter index ${index.name} set tablespace ${to?.quoted}`)
  await db.script(`set local lock_timeout = '10s'; ${moves.join('; ')}`)
}

export async function hasTablespace(db: ReadingDb, name: string): Promise<boolean> {
  const found = await db.many(sql`select 1 from pg_tablespace where spcname = ${name}`)
  return found.length > 0
}
