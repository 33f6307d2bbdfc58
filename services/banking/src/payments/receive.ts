import { Failure } from '@icosa/kernel'
import { type Account, houseAccount } from '../accounts/store.ts'
import { labelOf } from '../accounts/view.ts'
import { post } from '../ledger/store.ts'
import type { DomainEvent } from '../notifications/publish.ts'
import type { LabelMonetaryAccount } from '../shapes/contract.ts'
import type { Writing } from './pay.ts'
import { insertPayments } from './store.ts'

export interface Received {
  /** Of the account of the bank that the money comes from, which may be overdrawn, so the books balance. */
  readonly purpose: string
  readonly counterparty: LabelMonetaryAccount
  readonly amount: bigint
  readonly description: string
  readonly type?: string
  readonly subType?: string
}

/** Books money from outside the bank. The caller publishes the event, with others of its own. */
export async function receive(writing: Writing, to: Account, received: Received): Promise<DomainEvent> {
  const { db, tenant, at } = writing
  const { purpose, counterparty, amount, description, type = 'VENDOR', subType = 'PAYMENT' } = received
  if (to.status !== 'ACTIVE') throw new Failure('invalid', `The account ${to.iban} is closed.`)
  const from = await houseAccount(db, tenant, purpose, to.currency, at)
  const postings = [
    { account: from, amount: -amount },
    { account: to.id, amount },
  ]
  const posted = await post(db, tenant, { at, postings })
  if (posted.outcome !== 'posted') throw new Error(`money from ${purpose} was ${posted.outcome}`)
  const shared = { transaction: posted.id, currency: to.currency, description, type, subType, createdAt: at }
  const payment = { ...shared, account: to.id, amount, alias: labelOf(to), counterparty, details: {} }
  const [id = ''] = await insertPayments(db, tenant, [payment])
  return { user: to.user, account: to.id, category: 'PAYMENT', action: 'CREATE', kind: 'Payment', id }
}
