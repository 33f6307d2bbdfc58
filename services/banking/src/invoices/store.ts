import { type Db, lockName, type ReadingDb, sql } from '@icosa/kernel'
import { documentStore, type Stored } from '../documents/store.ts'
import type { Address, LabelMonetaryAccount } from '../shapes/contract.ts'
import { type Charged, currency, type Fee, type Month } from './fees.ts'

export interface InvoiceBody {
  /** `2026-03` */
  readonly month: string
  readonly charged: readonly Charged[]
  /** The customer on the day of the invoice. */
  readonly alias: LabelMonetaryAccount
  readonly address: Address | null
}

export const invoiceStore = documentStore<InvoiceBody>('Invoice', { OPEN: ['PAID'] })

/** Open invoices of open accounts whose last attempt was before a time. */
const unpaid = (triedBefore: Date) => sql`
  from banking.records r
  join banking.monetary_accounts a on a.tenant = r.tenant and a.id = r.account_id and a.status = 'ACTIVE'
  where r.kind = 'Invoice' and r.status = 'OPEN' and r.updated_at < ${triedBefore}`

/** Accounts that were open in a month and have no invoice for it, except those without charges. */
const unbilledIn = ({ name, end }: Month, fees: readonly Fee[]) => sql`
  from banking.monetary_accounts a cross join lateral (
    select count(*)::int as cards from banking.records c
    where c.tenant = a.tenant and c.kind = 'Card' and c.user_id = a.user_id and c.status = 'ACTIVE'
      and c.body ->> 'account' = a.id::text and c.created_at < ${end}) as active
  where a.status = 'ACTIVE' and a.currency = ${currency} and a.created_at < ${end}
    and (${fees.some(({ of }) => of === 'account')} or (${fees.some(({ of }) => of === 'card')} and active.cards > 0))
    and not exists (
      select 1 from banking.records r
      where r.tenant = a.tenant and r.kind = 'Invoice' and r.account_id = a.id and r.body ->> 'month' = ${name})`

/** Returns tenants with accounts to bill or invoices to collect. */
export async function tenantsToBill(
  db: ReadingDb,
  month: Month,
  fees: readonly Fee[],
  triedBefore: Date,
): Promise<string[]> {
  const rows = await db.many<{ tenant: string }>(sql`
    select a.tenant ${unbilledIn(month, fees)} group by a.tenant
    union select r.tenant ${unpaid(triedBefore)}`)
  return rows.map(({ tenant }) => tenant)
}

/** Serializes workers that bill the same tenant. */
export const lockBilling = (db: Db, tenant: string) => lockName(db, `banking invoices ${tenant}`)

export interface Unbilled {
  readonly account: string
  readonly cards: number
}

/** Returns the next unbilled accounts after an id, in id order. */
export const unbilled = (
  db: ReadingDb,
  tenant: string,
  month: Month,
  fees: readonly Fee[],
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<Unbilled[]> =>
  db.many(sql`
    select a.id as account, active.cards ${unbilledIn(month, fees)} and a.tenant = ${tenant} and a.id > ${after}
    order by a.id limit ${limit}`)

export const openInvoices = (
  db: ReadingDb,
  tenant: string,
  triedBefore: Date,
  limit: number,
): Promise<Pick<Stored<InvoiceBody>, 'id'>[]> =>
  db.many(sql`select r.id ${unpaid(triedBefore)} and r.tenant = ${tenant} order by r.id limit ${limit}`)
