import { type ReadingDb, sql } from '@icosa/kernel'
import { documentStore } from '../documents/store.ts'
import type { Payment } from '../payments/store.ts'
import type { Amount, Pointer } from '../shapes/contract.ts'

export interface Definition {
  readonly type: 'AMOUNT' | 'FRACTION'
  readonly amount?: Amount
  readonly fraction?: number
  readonly counterparty_alias: Pointer
  readonly description?: string
}

export interface RuleBody {
  readonly type: 'ONCE' | 'RECURRING'
  readonly payment: string
  /** Of the payment: later ones of the same amount from the same counterparty are allocated as well. */
  readonly amount: string
  readonly counterparty: string
  readonly definitions: readonly Definition[]
}

export const ruleStore = documentStore<RuleBody>('PaymentAutoAllocate', { ACTIVE: ['FINISHED', 'CANCELLED'] })

export interface InstanceBody {
  /** The id of the received payment. */
  readonly trigger: string
  readonly batch: string | null
  readonly error: string | null
}
export const instanceStore = documentStore<InstanceBody>('PaymentAutoAllocateInstance')

/** Whether a rule has already allocated a payment: a job may run twice. */
export async function isAllocated(db: ReadingDb, tenant: string, rule: string, payment: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 as found from banking.records
    where tenant = ${tenant} and kind = 'PaymentAutoAllocateInstance' and parent_id = ${rule}
      and body ->> 'trigger' = ${payment}`)
  return row !== undefined
}

/** By the account, or the name where there is none. */
export const counterpartyOf = ({ counterparty }: Payment): string => counterparty.iban ?? counterparty.display_name
