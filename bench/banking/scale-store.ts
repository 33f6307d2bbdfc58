import { type Database, type Db, type ReadingDb, sql } from '@icosa/kernel'
import { ibanOf } from '../../services/banking/src/accounts/iban.ts'
import { type Account, findAccount } from '../../services/banking/src/accounts/store.ts'
import { labelOf } from '../../services/banking/src/accounts/view.ts'
import { archive } from '../../services/banking/src/ledger/archive.ts'
import { defaultTransactions, extend, maintainPartitions } from '../../services/banking/src/ledger/jobs.ts'

export const tenant = 'bank'
const filled = ['ledger_transactions', 'ledger_postings', 'payments']

/** Users with one account each and unlimited overdraft. */
export async function openAccounts(db: Db, count: number): Promise<void> {
  const opened = await db.many<{ id: string }>(sql`
    insert into banking.ledger_accounts (tenant, currency, overdraft, created_at)
    select ${tenant}, 'EUR', 1000000000000, now() from generate_series(1, ${count}::int) returning id`)
  const ids = opened.map(({ id }) => id)
  await db.run(sql`
    insert into banking.ledger_balances (tenant, account_id, slot, amount)
    select ${tenant}, id, 0, 0 from unnest(${ids}::bigint[]) id`)
  await db.run(sql`
    insert into banking.users (tenant, id, kind, uuid, display_name, email, phone, profile, session_timeout, created_at,
      updated_at)
    overriding system value
    select ${tenant}, id, 'UserPerson', gen_random_uuid(), 'Person ' || id, id || '@example.com', '+31' || id, '{}', 604800,
      now(), now() from unnest(${ids}::bigint[]) id`)
  await db.run(sql`
    insert into banking.monetary_accounts (tenant, id, user_id, kind, uuid, currency, iban, description, status, sub_status,
      details, created_at, updated_at)
    select ${tenant}, id, id, 'MonetaryAccountBank', gen_random_uuid(), 'EUR', iban, 'All', 'ACTIVE', 'NONE', '{}', now(), now()
    from unnest(${ids}::bigint[], ${ids.map(ibanOf)}::text[]) as one (id, iban)`)
}

export async function accountsIn(db: ReadingDb): Promise<Account[]> {
  const ids = await db.many<{ id: string }>(sql`
    select id from banking.monetary_accounts where tenant = ${tenant} order by id`)
  return Promise.all(ids.map(async ({ id }) => (await findAccount(db, tenant, id)) as Account))
}

/** Drops keys, indexes and triggers while rows are inserted, and recreates them afterwards. */
async function withoutIndexes(database: Database, fill: () => Promise<void>): Promise<void> {
  const created = await database.many<{ name: string; drop: string; create: string }>(sql`
    select c.conname as name, format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
      format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as create
    from pg_constraint c
    where c.contype in ('p', 'f') and c.conrelid = any(${filled.map((table) => `banking.${table}`)}::regclass[])
    union all
    select i.indexname, format('drop index banking.%I', i.indexname), replace(i.indexdef, ' ON ONLY ', ' ON ') from pg_indexes i
    where i.schemaname = 'banking' and i.tablename = any(${filled}) and i.indexname not like '%_pkey'`)
  for (const { drop } of created) await database.script(drop)
  for (const table of filled) await database.script(`alter table banking.${table} disable trigger user`)
  await fill()
  for (const { create } of created) await database.script(create)
  for (const table of filled) await database.script(`alter table banking.${table} enable trigger user`)
}

/**
 * Transactions between random accounts, two postings and two payments each, with the labels of both sides. Only
 * `balance_after` is unrealistic.
 */
export async function fillLedger(database: Database, accounts: readonly Account[], postings: number): Promise<void> {
  const labels = accounts.map(({ id }, n) => ({ n, id, label: JSON.stringify(labelOf(accounts[n] as Account)) }))
  await database.run(sql`
    create unlogged table banking.scale_accounts as
    select one.*, banking.label_id(one.label) from unnest(${labels.map(({ n }) => n)}::int[], ${labels.map(({ id }) => id)}::bigint[],
      ${labels.map(({ label }) => label)}::jsonb[]) as one (n, id, label)`)
  await database.run(sql`
    insert into banking.labels select ${tenant}, banking.label_id(label), label from banking.scale_accounts`)
  const count = accounts.length
  await database.run(sql`
    select setval(pg_get_serial_sequence('banking.ledger_transactions', 'id'), ${postings / 2 + 1}::bigint),
      setval(pg_get_serial_sequence('banking.payments', 'id'), ${postings + 1}::bigint)`)
  await extend(database.transaction, defaultTransactions)
  await withoutIndexes(database, async () => {
    const size = Math.min(postings / 2, 500_000)
    for (let from = 1; from <= postings / 2; from += size) await database.run(chunk(from, from + size - 1, count))
  })
  await database.run(sql`
    update banking.ledger_balances b set amount = posted.amount from (
      select account_id, sum(amount) as amount from banking.ledger_postings where tenant = ${tenant} group by account_id
    ) posted where b.tenant = ${tenant} and b.account_id = posted.account_id`)
  await maintainPartitions(database.transaction, defaultTransactions)
  await archive(database)
  for (const table of filled) await database.script(`vacuum analyze banking.${table}`)
}

const chunk = (from: number, to: number, accounts: number) => sql`
  with made as materialized (
    select n as id, timestamptz '2020-01-01' + n * interval '10 milliseconds' as at,
      1 + abs(hashint8(n + 1)::bigint) % 10000 as amount, abs(hashint8(n)::bigint) % ${accounts}::int as payer,
      1 + abs(hashint8(-n)::bigint) % (${accounts}::int - 1) as distance
    from generate_series(${from}::bigint, ${to}::bigint) n),
  sides as materialized (
    select made.id, made.at, own.id as account, own.label_id, other.label_id as others, side.sign * made.amount as amount
    from made cross join (values (-1), (1)) as side (sign)
    join banking.scale_accounts own
      on own.n = (made.payer + case when side.sign = 1 then made.distance else 0 end) % ${accounts}::int
    join banking.scale_accounts other
      on other.n = (made.payer + case when side.sign = 1 then 0 else made.distance end) % ${accounts}::int),
  transactions as (
    insert into banking.ledger_transactions (tenant, id, request_id, fingerprint, created_at)
    overriding system value
    select ${tenant}, id, id || ' 7d9f3a54-1c1f-4a0e-9d0e-1f6f6a1f1a11', sha256(id::text::bytea), at from made),
  postings as (
    insert into banking.ledger_postings (tenant, account_id, transaction_id, currency, amount, balance_after)
    select ${tenant}, account, id, 'EUR', amount, amount from sides)
  insert into banking.payments (tenant, account_id, transaction_id, amount, currency, description, type, sub_type, alias_id,
    counterparty_id, details, created_at, id)
  overriding system value
  select ${tenant}, account, id, amount, 'EUR', 'Something that was paid', 'VENDOR', 'PAYMENT', label_id, others, '{}', at,
    2 * id + case when amount > 0 then 0 else -1 end
  from sides`

export async function sizes(database: Database): Promise<string> {
  const rows = await database.many<{ name: string; bytes: number; rows: number }>(sql`
    select t.name, sum(pg_total_relation_size(c.oid))::float8 as bytes, sum(greatest(c.reltuples, 0))::float8 as rows
    from unnest(${filled.map((table) => `banking.${table}`)}::text[]) as t (name) join pg_class c
      on c.relkind = 'r' and (c.oid = t.name::regclass or c.oid in (select relid from pg_partition_tree(t.name::regclass)))
    group by t.name order by t.name`)
  const shown = rows.map(({ name, bytes, rows: count }) => `${name} ${Math.round(bytes / count)} bytes a row`)
  return `${shown.join(', ')}; ${(rows.reduce((sum, { bytes }) => sum + bytes, 0) / 1e9).toFixed(1)} GB`
}
