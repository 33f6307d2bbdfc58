import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { documentStore } from '../documents/store.ts'
import { cardStatuses } from './contract.ts'

/** Rows of earlier versions may lack id and expiry. */
export interface CountryPermission {
  readonly id?: number
  readonly country: string
  readonly expiry_time?: string | null
}

/** Rows of earlier versions may have only an id; the primary number then has the digits of its card. */
export interface AccountNumber {
  readonly id?: number
  readonly uuid?: string
  readonly description?: string
  readonly status?: string
  readonly type?: string
  readonly monetary_account_id?: number | null
  readonly four_digit?: string
}

export interface CardBody {
  readonly uuid: string
  readonly type: string
  readonly productType: string
  readonly nameOnCard: string
  readonly preferredName: string | null
  readonly secondLine: string
  readonly orderStatus: string
  readonly subStatus: string
  readonly expiryDate: string
  readonly fourDigits: string
  /** Per day, in the smallest unit. */
  readonly limit: string
  readonly limitAtm: string
  readonly countries: readonly CountryPermission[]
  readonly numbers: readonly AccountNumber[]
  readonly account: string
  readonly ordered: string
  /** The account that pays if the balance of `account` is too low. */
  readonly fallback: string | null
  readonly reason: string | null
  /** The id of the card that this one replaces. */
  readonly replaces?: string
  /** The id of the card that replaces this one. */
  readonly replacedBy?: string
}

export const cardTransitions = { ACTIVE: cardStatuses, DEACTIVATED: cardStatuses }

export const cardStore = documentStore<CardBody>('Card', cardTransitions)

export interface ActionBody {
  readonly card: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly city: string | null
  readonly country: string
  readonly isAtm: boolean
  readonly decision: string
  /** Null where the card was declined. */
  readonly hold: string | null
}

export const actionStore = documentStore<ActionBody>('MasterCardAction', { AUTHORISED: ['CLEARED', 'REVERSED'] })

export const pinColumn = { table: 'banking.card_pins', column: 'pin', context: 'banking {tenant} card {card_id}' }

export async function putPin(db: Db, tenant: string, card: string, pin: Buffer): Promise<void> {
  await db.run(sql`
    insert into banking.card_pins (tenant, card_id, pin) values (${tenant}, ${card}, ${pin})
    on conflict (tenant, card_id) do update set pin = excluded.pin`)
}

export async function findPin(db: ReadingDb, tenant: string, card: string): Promise<Buffer | undefined> {
  const row = await db.maybe<{ pin: Buffer }>(sql`
    select pin from banking.card_pins where tenant = ${tenant} and card_id = ${card}`)
  return row?.pin
}

/** Sums what a card has spent or reserved since a time. */
export async function spentSince(
  db: ReadingDb,
  tenant: string,
  card: string,
  isAtm: boolean,
  since: Date,
): Promise<bigint> {
  const { spent } = await db.one<{ spent: string }>(sql`
    select coalesce(sum((body ->> 'amount')::bigint), 0)::text as spent from banking.records
    where tenant = ${tenant} and kind = 'MasterCardAction' and parent_id is null and body ->> 'card' = ${card}
      and (body ->> 'isAtm')::boolean = ${isAtm} and status in ('AUTHORISED', 'CLEARED') and created_at >= ${since}`)
  return BigInt(spent)
}
