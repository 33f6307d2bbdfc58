import { randomUUID } from 'node:crypto'
import { type Db, empty, type ReadingDb, sql } from '@icosa/kernel'
import type { PageQuery } from '../dialect/reply.ts'
import { page } from '../documents/page-store.ts'
import type { Currency } from '../ledger/money.ts'
import { openAccount } from '../ledger/store.ts'
import type { AvatarShown } from '../shapes/contract.ts'
import { ibanOf } from './iban.ts'

export const accountKinds = ['MonetaryAccountBank', 'MonetaryAccountSavings', 'MonetaryAccountJoint'] as const
export type AccountKind = (typeof accountKinds)[number]

/** Fields that callers can change. */
export interface AccountDetails extends Readonly<Record<string, unknown>> {
  readonly avatar?: AvatarShown | null
  readonly display_name?: string
  readonly setting?: object
}

export interface Account {
  readonly id: string
  readonly user: string
  readonly kind: AccountKind
  readonly uuid: string
  readonly currency: Currency
  readonly iban: string
  readonly description: string
  readonly status: string
  readonly subStatus: string
  readonly details: AccountDetails
  readonly createdAt: Date
  readonly updatedAt: Date
  /** From its user, for labels. */
  readonly userName: string
  readonly userUuid: string
  readonly nickName: string
  readonly userAvatar: AvatarShown | null
}

const columns = sql`a.id, a.user_id as user, a.kind, a.uuid, a.currency, a.iban, a.description, a.status,
  a.sub_status as "subStatus", a.details, a.created_at as "createdAt", a.updated_at as "updatedAt",
  u.display_name as "userName", u.uuid as "userUuid", coalesce(u.profile ->> 'public_nick_name', u.display_name) as "nickName",
  u.profile -> 'avatar' as "userAvatar"`
const tables = sql`banking.monetary_accounts a join banking.users u on u.tenant = a.tenant and u.id = a.user_id`

export interface NewMonetaryAccount {
  readonly user: string
  readonly kind: AccountKind
  readonly currency: Currency
  readonly description: string
  readonly details: Readonly<Record<string, unknown>>
  readonly at: Date
}

export async function insertAccount(db: Db, tenant: string, account: NewMonetaryAccount): Promise<string> {
  const { user, kind, currency, description, details, at } = account
  const id = await openAccount(db, tenant, { currency, overdraft: 0n, at })
  await db.run(sql`
    insert into banking.monetary_accounts (tenant, id, user_id, kind, uuid, currency, iban, description, status, sub_status,
      details, created_at, updated_at)
    values (${tenant}, ${id}, ${user}, ${kind}, ${randomUUID()}, ${currency}, ${ibanOf(id)}, ${description}, 'ACTIVE',
      'NONE', ${JSON.stringify(details)}, ${at}, ${at})`)
  return id
}

export function findAccount(db: ReadingDb, tenant: string, id: string): Promise<Account | undefined> {
  return db.point(sql`select ${columns} from ${tables} where a.tenant = ${tenant} and a.id = ${id}`)
}

export function accountByIban(db: ReadingDb, tenant: string, iban: string): Promise<Account | undefined> {
  return db.point(sql`select ${columns} from ${tables} where a.tenant = ${tenant} and a.iban = ${iban}`)
}

/** Returns the account that receives payments to an email address or phone number: the user's oldest open one. */
export function accountByAlias(
  db: ReadingDb,
  tenant: string,
  { type, value }: { type: string; value: string },
): Promise<Account | undefined> {
  const is = type === 'EMAIL' ? sql`lower(u.email) = lower(${value})` : sql`u.phone = ${value}`
  return db.maybe(sql`
    select ${columns} from ${tables} where a.tenant = ${tenant} and ${is} and a.status = 'ACTIVE' order by a.id limit 1`)
}

/** The accounts of a user, and those that others share with the user, if their ids are given. */
export function listAccounts(
  db: ReadingDb,
  tenant: string,
  user: string,
  query: PageQuery,
  { kind, shared = [] }: { readonly kind?: AccountKind | undefined; readonly shared?: readonly string[] } = {},
): Promise<Account[]> {
  const others = shared.length > 0 ? sql`or a.id = any(${shared})` : empty
  return db.many(sql`
    select ${columns} from ${tables}
    where a.tenant = ${tenant} and (a.user_id = ${user} ${others})
      and (${kind ?? null}::text is null or a.kind = ${kind ?? null})
    ${page(sql`a.id`, query)}`)
}

export interface AccountChange {
  readonly description?: string | undefined
  readonly status?: string | undefined
  readonly subStatus?: string | undefined
  readonly details: Readonly<Record<string, unknown>>
}

export async function changeAccount(
  db: Db,
  tenant: string,
  id: string,
  change: AccountChange,
  at: Date,
): Promise<void> {
  await db.run(sql`
    update banking.monetary_accounts set description = coalesce(${change.description ?? null}, description),
      status = coalesce(${change.status ?? null}, status), sub_status = coalesce(${change.subStatus ?? null}, sub_status),
      details = details || ${JSON.stringify(change.details)}::jsonb, updated_at = ${at}
    where tenant = ${tenant} and id = ${id}`)
}

/** An account of the bank itself, opened on first use. */
export async function houseAccount(
  db: Db,
  tenant: string,
  purpose: string,
  currency: Currency,
  at: Date,
): Promise<string> {
  const find = () =>
    db.maybe<{ id: string }>(sql`
      select account_id as id from banking.house_accounts
      where tenant = ${tenant} and purpose = ${purpose} and currency = ${currency}`)
  const existing = await find()
  if (existing) return existing.id
  const id = await openAccount(db, tenant, { currency, overdraft: null, at })
  const inserted = await db.run(sql`
    insert into banking.house_accounts (tenant, purpose, currency, account_id)
    values (${tenant}, ${purpose}, ${currency}, ${id}) on conflict do nothing`)
  return inserted === 1 ? id : ((await find()) as { id: string }).id
}
