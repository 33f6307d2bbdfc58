import { type Db, join, type ReadingDb, type Sql, sql } from '@icosa/kernel'
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
  const rows = payments.map(
    (row) => sql`(${row.account}::bigint, ${row.transaction}::bigint, ${row.amount}::bigint, ${row.currency},
      ${row.description}, ${row.type}, ${row.subType}, ${JSON.stringify(row.alias)}::jsonb,
      ${JSON.stringify(row.counterparty)}::jsonb, ${JSON.stringify(row.details)}::jsonb, ${row.createdAt}::timestamptz)`,
  )
  const inserted = await db.many<{ id: string; account: string }>(sql`
    with incoming (account_id, transaction_id, amount, currency, description, type, sub_type, alias, counterparty, details,
      created_at) as (values ${join(rows)}),
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
    returning id, account_id as account`)
  return payments.map(({ account }) => (inserted.find((row) => row.account === account) as { id: string }).id)
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

export function findPayment(db: ReadingDb, tenant: string, account: string, id: string): Promise<Payment | undefined> {
  return db.maybe(sql`${select} where p.tenant = ${tenant} and p.account_id = ${account} and p.id = ${id}`)
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

export function listPayments(db: ReadingDb, tenant: string, account: string, query: PageQuery): Promise<Payment[]> {
  // Limits before joining: PostgreSQL assumes that most payments have no posting, and would plan a parallel scan, whose
  // start-up costs more than the rest of the query.
  const selection = sql`
    (select * from banking.payments where tenant = ${tenant} and account_id = ${account} ${page(sql`id`, query)})`
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
  const within = sql`tenant = ${tenant} and account_id = ${account} and created_at >= ${from} and created_at < ${to}`
  const bounds = await db.one<{ first: string | null; last: string | null }>(
    sql`select min(id) as first, max(id) as last from banking.payments where ${within}`,
  )
  const { first, last } = bounds
  if (first === null || last === null) return
  for (let after = String(BigInt(first) - 1n); ; ) {
    const selection = sql`
      (select * from banking.payments where ${within} and id > ${after} and id <= ${last} order by id limit ${pageSize})`
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

/** Sums the payments of an account before a time. */
export async function balanceBefore(db: ReadingDb, tenant: string, account: string, at: Date): Promise<bigint> {
  const { sum } = await db.one<{ sum: string }>(sql`
    select coalesce(sum(amount), 0)::text as sum from banking.payments
    where tenant = ${tenant} and account_id = ${account} and created_at < ${at}`)
  return BigInt(sum)
}
