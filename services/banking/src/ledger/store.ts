import { createHash } from 'node:crypto'
import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Currency } from './money.ts'

/** Ids of the ledger are whole numbers larger than what JavaScript counts exactly: they are kept as text. */
export type AccountId = string

export interface NewAccount {
  readonly currency: Currency
  /** How far below zero it may go; null if it has no limit. */
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
  /** Below zero for what leaves the account. */
  readonly amount: bigint
}

export interface NewTransaction {
  readonly at: Date
  /** All of them sum to zero in every currency. */
  readonly postings: readonly Posting[]
  /** Whoever asks twice with one id and the same parameters gets one transaction. */
  readonly request?: { readonly id: string; readonly parameters: unknown } | undefined
}

export type Posted =
  | { readonly outcome: 'posted' | 'repeated'; readonly id: string }
  /** There is another transaction of this request id. */
  | { readonly outcome: 'differs'; readonly id: string }
  | { readonly outcome: 'insufficient' | 'unknown'; readonly account: AccountId }

/** Nothing was written unless it was posted. */
export async function post(db: Db, tenant: string, { at, postings, request }: NewTransaction): Promise<Posted> {
  const { outcome, id, account } = await db.one<{ outcome: Posted['outcome']; id: string; account: string }>(sql`
    select outcome, transaction_id as id, refused_account as account
    from banking.post_transaction(${tenant}, ${request?.id ?? null}, ${request ? fingerprint(request.parameters) : null},
      ${at}, ${postings.map((posting) => posting.account)}, ${postings.map((posting) => posting.amount)})`)
  return outcome === 'insufficient' || outcome === 'unknown' ? { outcome, account } : { outcome, id }
}

const fingerprint = (parameters: unknown) => createHash('sha256').update(JSON.stringify(parameters)).digest()

export interface Balance {
  readonly currency: Currency
  readonly amount: bigint
  /** Reserved by holds. */
  readonly held: bigint
  readonly overdraft: bigint | null
}

interface BalanceRow {
  readonly id: string
  readonly currency: Currency
  readonly amount: string
  readonly held: string
  readonly overdraft: string | null
}

const toBalance = ({ currency, amount, held, overdraft }: BalanceRow): Balance => ({
  currency,
  amount: BigInt(amount),
  held: BigInt(held),
  overdraft: overdraft === null ? null : BigInt(overdraft),
})

export async function balancesOf(
  db: ReadingDb,
  tenant: string,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, Balance>> {
  const rows = await db.many<BalanceRow>(sql`
    select a.id, a.currency, a.overdraft, sum(b.amount)::bigint as amount, sum(b.held)::bigint as held
    from banking.ledger_accounts a join banking.ledger_balances b on b.tenant = a.tenant and b.account_id = a.id
    where a.tenant = ${tenant} and a.id = any(${accounts}) group by a.tenant, a.id`)
  return new Map(rows.map((row) => [row.id, toBalance(row)]))
}

/** Until the transaction ends nobody takes money out of the account, or reserves any. */
async function lock(db: Db, tenant: string, account: AccountId): Promise<Balance | undefined> {
  await db.run(sql`
    select 1 from banking.ledger_balances where tenant = ${tenant} and account_id = ${account} and slot = 0 for update`)
  return (await balancesOf(db, tenant, [account])).get(account)
}

/** What can be spent: the balance and the overdraft without what is reserved; null if there is no limit. */
export const available = ({ amount, held, overdraft }: Balance): bigint | null =>
  overdraft === null ? null : amount + overdraft - held

/** Reserves an amount. Undefined if there is too little. */
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
 * Frees what was reserved, once. The account stays locked until the transaction ends: whoever posts right after it takes
 * what was reserved, and nobody comes between.
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

/** Refused (false) where the account is already further below zero. */
export async function setOverdraft(db: Db, tenant: string, account: AccountId, overdraft: bigint): Promise<boolean> {
  const balance = await lock(db, tenant, account)
  if (!balance || balance.amount - balance.held < -overdraft) return false
  await db.run(sql`
    update banking.ledger_accounts set overdraft = ${overdraft} where tenant = ${tenant} and id = ${account}`)
  return true
}

export interface Proof {
  /** Of all balances, which is what all postings sum to: zero. */
  readonly sum: bigint
  /** Accounts whose balance is not the sum of their postings. */
  readonly unproven: readonly AccountId[]
  /** Accounts that are further below zero than they may be. */
  readonly overdrawn: readonly AccountId[]
  /** Accounts whose reserved amount is not the sum of their open holds. */
  readonly misheld: readonly AccountId[]
}

/**
 * Reads the ledger of a tenant in one statement: what it finds was so at one moment. Of partitions that are closed it reads
 * what they were closed with.
 */
export async function prove(db: ReadingDb, tenant: string): Promise<Proof> {
  const row = await db.one<Record<'sum', string> & Record<'unproven' | 'overdrawn' | 'misheld', string[]>>(sql`
    with kept as (
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
      select a.id, a.overdraft, kept.amount, kept.held, coalesce(posted.amount, 0) as posted,
        coalesce(reserved.amount, 0) as reserved
      from banking.ledger_accounts a join kept on kept.account_id = a.id
      left join posted on posted.account_id = a.id left join reserved on reserved.account_id = a.id
      where a.tenant = ${tenant})
    select coalesce(sum(amount), 0)::text as sum,
      coalesce(array_agg(id::text) filter (where amount <> posted), '{}') as unproven,
      coalesce(array_agg(id::text) filter (where amount - held < -overdraft), '{}') as overdrawn,
      coalesce(array_agg(id::text) filter (where held <> reserved), '{}') as misheld from compared`)
  return { ...row, sum: BigInt(row.sum) }
}
