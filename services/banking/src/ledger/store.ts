import { createHash } from 'node:crypto'
import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Currency } from './money.ts'

/** A bigint, kept as text since JavaScript numbers are not exact. */
export type AccountId = string

export interface NewAccount {
  readonly currency: Currency
  /** Null if unlimited. */
  readonly overdraft: bigint | null
  readonly at: Date
}

export async function openAccount(db: Db, tenant: string, { currency, overdraft, at }: NewAccount): Promise<AccountId> {
  const { id } = await db.one<{ id: string }>(sql`
    with opened as (
      insert into banking.ledger_accounts (tenant, currency, overdraft, created_at)
      values (${tenant}, ${currency}, ${overdraft}, ${at}) returning tenant, id)
    insert into banking.ledger_balances (tenant, account_id, slot, amount)
    select tenant, id, 0, 0 from opened returning account_id as id`)
  return id
}

export interface Posting {
  readonly account: AccountId
  /** Negative for debits. */
  readonly amount: bigint
}

export interface NewTransaction {
  readonly at: Date
  /** Sum to zero in every currency. */
  readonly postings: readonly Posting[]
  /** Idempotency key: the same id and parameters return the same transaction. */
  readonly request?: { readonly id: string; readonly parameters: unknown } | undefined
}

export type Posted =
  | { readonly outcome: 'posted' | 'repeated'; readonly id: string }
  /** The request id belongs to another transaction. */
  | { readonly outcome: 'differs'; readonly id: string }
  | { readonly outcome: 'insufficient' | 'unknown'; readonly account: AccountId }

/** Writes nothing unless the outcome is `posted`. */
export async function post(db: Db, tenant: string, { at, postings, request }: NewTransaction): Promise<Posted> {
  const { outcome, id, account } = await db.one<{ outcome: Posted['outcome']; id: string; account: string }>(sql`
    select outcome, transaction_id as id, refused_account as account
    from banking.post_transaction(${tenant}, ${request?.id ?? null}, ${request ? fingerprint(request.parameters) : null},
      ${at}, ${postings.map((posting) => posting.account)}, ${postings.map((posting) => posting.amount)})`)
  return outcome === 'insufficient' || outcome === 'unknown' ? { outcome, account } : { outcome, id }
}

/** Posts transactions of several requests by one statement. Outcomes are in their order, as if each had been posted alone. */
export async function postTogether(
  db: Db,
  tenant: string,
  transactions: readonly NewTransaction[],
): Promise<readonly Posted[]> {
  const [first, ...others] = transactions
  if (first && others.length === 0) return [await post(db, tenant, first)]
  const postings = transactions.flatMap((transaction, index) =>
    transaction.postings.map((posting) => ({ ...posting, nth: index + 1 })),
  )
  const requests = transactions.map(({ request }) => request)
  const rows = await db.many<{ outcome: Posted['outcome']; id: string; account: string }>(sql`
    select outcome, transaction_id as id, refused_account as account
    from banking.post_transactions(${tenant}, ${requests.map((request) => request?.id ?? null)}::text[],
      ${requests.map((request) => (request ? fingerprint(request.parameters) : null))}::bytea[],
      ${transactions.map(({ at }) => at)}::timestamptz[], ${postings.map(({ nth }) => nth)}::integer[],
      ${postings.map(({ account }) => account)}::bigint[], ${postings.map(({ amount }) => amount)}::bigint[])
    order by nth`)
  return rows.map(({ outcome, id, account }) =>
    outcome === 'insufficient' || outcome === 'unknown' ? { outcome, account } : { outcome, id },
  )
}

const fingerprint = (parameters: unknown) => createHash('sha256').update(JSON.stringify(parameters)).digest()

export interface Balance {
  readonly currency: Currency
  readonly amount: bigint
  /** Sum of open holds. */
  readonly reserved: bigint
  readonly overdraft: bigint | null
}

interface BalanceRow {
  readonly id: string
  readonly currency: Currency
  readonly amount: string
  readonly reserved: string
  readonly overdraft: string | null
}

const toBalance = ({ currency, amount, reserved, overdraft }: BalanceRow): Balance => ({
  currency,
  amount: BigInt(amount),
  reserved: BigInt(reserved),
  overdraft: overdraft === null ? null : BigInt(overdraft),
})

export async function balancesOf(
  db: ReadingDb,
  tenant: string,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, Balance>> {
  const rows = await db.many<BalanceRow>(sql`
    select a.id, a.currency, a.overdraft, sum(b.amount)::bigint as amount, sum(b.held)::bigint as reserved
    from banking.ledger_accounts a join banking.ledger_balances b on b.tenant = a.tenant and b.account_id = a.id
    where a.tenant = ${tenant} and a.id = any(${accounts}) group by a.tenant, a.id`)
  return new Map(rows.map((row) => [row.id, toBalance(row)]))
}

/** Blocks other debits and holds of the account until the transaction ends. */
async function lock(db: Db, tenant: string, account: AccountId): Promise<Balance | undefined> {
  await db.run(sql`
    select 1 from banking.ledger_balances where tenant = ${tenant} and account_id = ${account} and slot = 0 for update`)
  return (await balancesOf(db, tenant, [account])).get(account)
}

/** Balance plus overdraft less reserved amounts; null if unlimited. */
export const available = ({ amount, reserved, overdraft }: Balance): bigint | null =>
  overdraft === null ? null : amount + overdraft - reserved

/** Reserves an amount. Returns undefined if too little is available. */
export async function placeHold(
  db: Db,
  tenant: string,
  { account, amount, at }: { account: AccountId; amount: bigint; at: Date },
): Promise<string | undefined> {
  const balance = await lock(db, tenant, account)
  const free = balance && available(balance)
  if (free === undefined || (free !== null && free < amount)) return undefined
  const { id } = await db.one<{ id: string }>(sql`
    with reserved as (
      update banking.ledger_balances set held = held + ${amount}
      where tenant = ${tenant} and account_id = ${account} and slot = 0)
    insert into banking.ledger_holds (tenant, account_id, amount, created_at)
    values (${tenant}, ${account}, ${amount}, ${at}) returning id`)
  return id
}

/**
 * Releases a hold, once. The account stays locked until the transaction ends, so a posting in the same transaction can capture
 * the amount.
 */
export async function releaseHold(db: Db, tenant: string, hold: string, at: Date): Promise<boolean> {
  const released = await db.run(sql`
    with released as (
      update banking.ledger_holds set released_at = ${at}
      where tenant = ${tenant} and id = ${hold} and released_at is null returning account_id, amount)
    update banking.ledger_balances b set held = b.held - released.amount from released
    where b.tenant = ${tenant} and b.account_id = released.account_id and b.slot = 0`)
  return released === 1
}

/** Returns false if the account is already overdrawn by more. */
export async function setOverdraft(db: Db, tenant: string, account: AccountId, overdraft: bigint): Promise<boolean> {
  const balance = await lock(db, tenant, account)
  if (!balance || balance.amount - balance.reserved < -overdraft) return false
  await db.run(sql`
    update banking.ledger_accounts set overdraft = ${overdraft} where tenant = ${tenant} and id = ${account}`)
  return true
}

export interface Reconciliation {
  /** Sum of all balances, which must be zero. */
  readonly sum: bigint
  /** Accounts whose balance is not the sum of their postings. */
  readonly balanceMismatches: readonly AccountId[]
  /** Accounts below their overdraft limit. */
  readonly overdrawn: readonly AccountId[]
  /** Accounts whose reserved amount is not the sum of their open holds. */
  readonly holdMismatches: readonly AccountId[]
}

/**
 * Compares balances with postings and holds in one statement, and so in one snapshot. For closed partitions it reads the
 * stored closings.
 */
export async function reconcile(db: ReadingDb, tenant: string): Promise<Reconciliation> {
  const row = await db.one<
    Record<'sum', string> & Record<'balanceMismatches' | 'overdrawn' | 'holdMismatches', string[]>
  >(sql`
    with stored as (
      select account_id, sum(amount) as amount, sum(held) as held from banking.ledger_balances
      where tenant = ${tenant} group by account_id),
    posted as (
      select account_id, sum(amount) as amount from (
        select account_id, amount from banking.ledger_closings where tenant = ${tenant}
        union all
        select account_id, amount from banking.ledger_postings where tenant = ${tenant} and transaction_id >= (
          select coalesce(max(until), 0) from banking.ledger_closings where tenant = ${tenant})) as booked
      group by account_id),
    reserved as (
      select account_id, sum(amount) as amount from banking.ledger_holds
      where tenant = ${tenant} and released_at is null group by account_id),
    compared as (
      select a.id, a.overdraft, stored.amount, stored.held, coalesce(posted.amount, 0) as posted,
        coalesce(reserved.amount, 0) as reserved
      from banking.ledger_accounts a join stored on stored.account_id = a.id
      left join posted on posted.account_id = a.id left join reserved on reserved.account_id = a.id
      where a.tenant = ${tenant})
    select coalesce(sum(amount), 0)::text as sum,
      coalesce(array_agg(id::text) filter (where amount <> posted), '{}') as "balanceMismatches",
      coalesce(array_agg(id::text) filter (where amount - held < -overdraft), '{}') as overdrawn,
      coalesce(array_agg(id::text) filter (where held <> reserved), '{}') as "holdMismatches" from compared`)
  return { ...row, sum: BigInt(row.sum) }
}
