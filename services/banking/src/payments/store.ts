import { type Db, empty, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { PageQuery } from '../dialect/reply.ts'
import { inOrder, page } from '../documents/page-store.ts'
import type { LabelMonetaryAccount } from '../shapes/contract.ts'

export interface Payment {
  readonly id: string
  readonly account: string
  readonly transaction: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly type: string
  readonly subType: string
  readonly alias: LabelMonetaryAccount
  readonly counterparty: LabelMonetaryAccount
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: Date
  readonly balanceAfter: string
}

export type NewPayment = Omit<Payment, 'id' | 'balanceAfter' | 'amount'> & { readonly amount: bigint }

/** Returns the ids in the same order. */
export async function insertPayments(db: Db, tenant: string, payments: readonly NewPayment[]): Promise<string[]> {
  const column = <K extends keyof NewPayment>(name: K) => payments.map((row) => row[name])
  const documents = (name: 'alias' | 'counterparty' | 'details') => payments.map((row) => JSON.stringify(row[name]))
  const inserted = await db.many<{ id: string; account: string; transaction: string }>(sql`
    with incoming as materialized (
      select * from unnest(${column('account')}::bigint[], ${column('transaction')}::bigint[],
        ${column('amount')}::bigint[], ${column('currency')}::text[], ${column('description')}::text[],
        ${column('type')}::text[], ${column('subType')}::text[], ${documents('alias')}::jsonb[],
        ${documents('counterparty')}::jsonb[], ${documents('details')}::jsonb[], ${column('createdAt')}::timestamptz[])
      as row (account_id, transaction_id, amount, currency, description, type, sub_type, alias, counterparty, details,
        created_at)),
    sides as (
      select distinct banking.label_id(side.label) as id, side.label
      from incoming cross join lateral (values (alias), (counterparty)) as side (label)),
    added as (
      insert into banking.labels (tenant, id, label) select ${tenant}, id, label from sides
      where not exists (select 1 from banking.labels l where l.tenant = ${tenant} and l.id = sides.id))
    insert into banking.payments (tenant, account_id, transaction_id, amount, currency, description, type, sub_type,
      alias_id, counterparty_id, details, created_at)
    select ${tenant}, account_id, transaction_id, amount, currency, description, type, sub_type, banking.label_id(alias),
      banking.label_id(counterparty), details, created_at from incoming
    returning id, account_id as account, transaction_id as transaction`)
  const keyOf = ({ account, transaction }: { readonly account: string; readonly transaction: string }) =>
    `${transaction} ${account}`
  const ids = new Map(inserted.map((row) => [keyOf(row), row.id]))
  return payments.map((payment) => ids.get(keyOf(payment)) as string)
}

/** Concurrent inserts may have stored a label twice; the rows are identical. */
const labelOf = (id: Sql) => sql`select label from banking.labels where tenant = p.tenant and id = ${id} limit 1`

const selectFrom = (payments: Sql) => sql`
  select p.id, p.account_id as account, p.transaction_id as transaction, p.amount, p.currency, p.description, p.type,
    p.sub_type as "subType", (${labelOf(sql`p.alias_id`)}) as alias, (${labelOf(sql`p.counterparty_id`)}) as counterparty,
    p.details, p.created_at as "createdAt", l.balance_after as "balanceAfter"
  from ${payments} p join banking.ledger_postings l
    on l.tenant = p.tenant and l.account_id = p.account_id and l.transaction_id = p.transaction_id`
const select = selectFrom(sql`banking.payments`)

/** Times of payments that may be seen, from `from`, inclusive, to `to`, exclusive. */
export interface Window {
  readonly from: Date | undefined
  readonly to: Date | undefined
}

const within = (createdAt: Sql, { from, to }: Window = { from: undefined, to: undefined }): Sql =>
  sql`${from ? sql`and ${createdAt} >= ${from}` : empty} ${to ? sql`and ${createdAt} < ${to}` : empty}`

export function findPayment(
  db: ReadingDb,
  tenant: string,
  account: string,
  id: string,
  window?: Window,
): Promise<Payment | undefined> {
  return db.maybe(sql`
    ${select} where p.tenant = ${tenant} and p.account_id = ${account} and p.id = ${id} ${within(sql`p.created_at`, window)}`)
}

export function paymentOfTransaction(
  db: ReadingDb,
  tenant: string,
  account: string,
  transaction: string,
): Promise<Payment | undefined> {
  return db.maybe(
    sql`${select} where p.tenant = ${tenant} and p.transaction_id = ${transaction} and p.account_id = ${account}`,
  )
}

export function listPayments(
  db: ReadingDb,
  tenant: string,
  account: string,
  query: PageQuery,
  window?: Window,
): Promise<Payment[]> {
  // Limits before joining: PostgreSQL assumes that most payments have no posting, and would plan a parallel scan, whose
  // start-up costs more than the rest of the query.
  const selection = sql`
    (select * from banking.payments where tenant = ${tenant} and account_id = ${account}
      ${within(sql`created_at`, window)} ${page(sql`id`, query)})`
  return db.many(sql`${selectFrom(selection)} ${inOrder(sql`p.id`, query)}`)
}

/** From `from`, inclusive, to `to`, exclusive. */
export interface Period {
  readonly account: string
  readonly from: Date
  readonly to: Date
}

/** Oldest first, page by page: there may be any number. */
export async function* paymentsBetween(
  db: ReadingDb,
  tenant: string,
  { account, from, to }: Period,
  pageSize: number,
): AsyncGenerator<readonly Payment[]> {
  const inPeriod = sql`tenant = ${tenant} and account_id = ${account} and created_at >= ${from} and created_at < ${to}`
  const bounds = await db.one<{ first: string | null; last: string | null }>(
    sql`select min(id) as first, max(id) as last from banking.payments where ${inPeriod}`,
  )
  const { first, last } = bounds
  if (first === null || last === null) return
  for (let after = String(BigInt(first) - 1n); ; ) {
    const selection = sql`
      (select * from banking.payments where ${inPeriod} and id > ${after} and id <= ${last} order by id limit ${pageSize})`
    const rows = await db.many<Payment>(sql`${selectFrom(selection)} order by p.id`)
    if (rows.length > 0) yield rows
    if (rows.length < pageSize) return
    after = (rows.at(-1) as Payment).id
  }
}

export function paymentsByIds(
  db: ReadingDb,
  tenant: string,
  account: string,
  ids: readonly (string | number)[],
): Promise<Payment[]> {
  return db.many(sql`
    ${select} where p.tenant = ${tenant} and p.account_id = ${account} and p.id = any(${ids.map(String)}::bigint[])
    order by p.id`)
}

/**
 * The balance of an account at a time, by the ledger: its present balance without the postings since. The payments since
 * tell which postings these are, so the cost depends on them and not on all that came before.
 */
export async function balanceAt(db: ReadingDb, tenant: string, account: string, at: Date): Promise<bigint> {
  const { balance } = await db.one<{ balance: string }>(sql`
    with first as materialized (
      select min(transaction_id) as id from banking.payments
      where tenant = ${tenant} and account_id = ${account} and created_at >= ${at}),
    later as (
      select sum(p.amount) as amount from banking.ledger_postings p
      join banking.ledger_transactions t on t.tenant = p.tenant and t.id = p.transaction_id
      where p.tenant = ${tenant} and p.account_id = ${account} and p.transaction_id >= (select id from first)
        and t.created_at >= ${at})
    select (sum(b.amount) - coalesce((select amount from later), 0))::text as balance from banking.ledger_balances b
    where b.tenant = ${tenant} and b.account_id = ${account}`)
  return BigInt(balance)
}
