import { type Db, Failure, invalid, type JobsOf, type ReadingDb } from '@icosa/kernel'
import { isIban, isOurs, plainIban } from '../accounts/iban.ts'
import { type Account, accountByAlias, accountByIban, houseAccount } from '../accounts/store.ts'
import { labelOf, labelOfOther } from '../accounts/view.ts'
import { type Currency, parseMoney } from '../ledger/money.ts'
import { type Posting, post } from '../ledger/store.ts'
import { type DomainEvent, publish } from '../notifications/publish.ts'
import type { Amount, LabelMonetaryAccount, Pointer } from '../shapes/contract.ts'
import { insertPayments, paymentOfTransaction } from './store.ts'

/** The transaction of a handler, or of the end of a job. */
export interface Writing {
  readonly db: Db
  readonly jobs: JobsOf
  readonly tenant: string
  readonly at: Date
}

/** An account of ours, or one at another bank; with a purpose, the bank's own account for it. */
export type Destination =
  | { readonly account: Account }
  | { readonly account: undefined; readonly label: LabelMonetaryAccount; readonly purpose?: string }

/** Resolves the payee. An unknown one is rejected, unless it is an IBAN of another bank. */
export async function destinationOf(db: ReadingDb, tenant: string, pointer: Pointer): Promise<Destination> {
  const at = 'body/counterparty_alias'
  const { type, value } = pointer
  if (type === 'EMAIL' || type === 'PHONE_NUMBER') {
    const account = await accountByAlias(db, tenant, { type, value })
    return { account: account ?? invalid([{ at, message: `no user of this bank has the address ${value}` }]) }
  }
  if (type !== 'IBAN') invalid([{ at: `${at}/type`, message: 'must be one of IBAN, EMAIL, PHONE_NUMBER' }])
  const iban = plainIban(value)
  if (!isIban(iban)) invalid([{ at: `${at}/value`, message: 'is not an IBAN: its check digits are wrong' }])
  const account = await accountByIban(db, tenant, iban)
  if (account) return { account }
  if (isOurs(iban)) invalid([{ at: `${at}/value`, message: 'is not an account of this bank' }])
  return { account: undefined, label: labelOfOther(pointer, iban) }
}

/** Parses a positive amount in the currency of an account. */
export function amountIn(currency: Currency, { value, currency: code }: Amount, at = 'body/amount'): bigint {
  if (code !== currency)
    invalid([{ at: `${at}/currency`, message: `must be ${currency}, the currency of the account` }])
  const money = parseMoney(value, code) ?? invalid([{ at: `${at}/value`, message: `is not an amount in ${code}` }])
  return money.amount > 0n ? money.amount : invalid([{ at: `${at}/value`, message: 'must be more than zero' }])
}

export interface Order {
  readonly from: Account
  readonly to: Destination
  readonly amount: bigint
  readonly description: string
  readonly type?: string
  readonly subType?: string
  /** Further fields, which the counterparty does not see. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly requestId?: string | undefined
}

export interface Paid {
  /** The payer's payment. */
  readonly id: string
  /** The payee's payment, if it is at this bank. */
  readonly receivedId: string | undefined
  readonly isRepeated: boolean
}

export async function pay(writing: Writing, order: Order): Promise<Paid> {
  const { db, tenant, at } = writing
  const { from, to, amount, description, requestId } = order
  refuseClosed(from)
  if (to.account) refuseClosed(to.account)
  if (to.account?.id === from.id) invalid([{ at: 'body/counterparty_alias', message: 'is the paying account' }])
  if (to.account && to.account.currency !== from.currency)
    invalid([{ at: 'body/counterparty_alias', message: `has an account in ${to.account.currency}: convert it first` }])
  const other = to.account
    ? to.account.id
    : await houseAccount(db, tenant, to.purpose ?? 'other banks', from.currency, at)
  const postings: Posting[] = [
    { account: from.id, amount: -amount },
    { account: other, amount },
  ]
  const request =
    requestId === undefined ? undefined : { id: `${from.user} ${requestId}`, parameters: parametersOf(order) }
  const posted = await post(db, tenant, { at, postings, request })
  switch (posted.outcome) {
    case 'insufficient':
      throw new Failure('invalid', 'Insufficient balance.')
    case 'unknown':
      throw new Error(`account ${posted.account} is not in the ledger`)
    case 'differs':
      throw new Failure('invalid', 'The request id was already used for another payment: choose a new one.')
    case 'repeated':
      return { ...(await alreadyPaid(writing, order, posted.id)), isRepeated: true }
    case 'posted':
      return { ...(await record(writing, { ...order, description }, posted.id)), isRepeated: false }
  }
}

const parametersOf = ({ from, to, amount, description }: Order) => [
  from.id,
  to.account ? to.account.id : to.label.iban,
  String(amount),
  description,
]

function refuseClosed({ status, iban }: Account): void {
  if (status !== 'ACTIVE') throw new Failure('invalid', `The account ${iban} is closed.`)
}

async function alreadyPaid({ db, tenant }: Writing, { from, to }: Order, transaction: string) {
  const sent = await paymentOfTransaction(db, tenant, from.id, transaction)
  if (!sent) throw new Failure('invalid', 'The request id was already used for another purpose: choose a new one.')
  const received = to.account && (await paymentOfTransaction(db, tenant, to.account.id, transaction))
  return { id: sent.id, receivedId: received?.id }
}

async function record(writing: Writing, order: Order, transaction: string) {
  const { db, tenant, at } = writing
  const { from, to, amount, description, type = 'VENDOR', subType = 'PAYMENT', details = {} } = order
  const [own, others] = [labelOf(from), to.account ? labelOf(to.account) : to.label]
  const shared = { transaction, currency: from.currency, description, type, subType, createdAt: at }
  const sent = { ...shared, account: from.id, amount: -amount, alias: own, counterparty: others, details }
  const received = to.account
    ? [{ ...shared, account: to.account.id, amount, alias: others, counterparty: own, details: {} }]
    : []
  const [id = '', receivedId] = await insertPayments(db, tenant, [sent, ...received])
  const events: DomainEvent[] = [{ user: from.user, account: from.id, id }]
    .concat(
      to.account && receivedId !== undefined ? { user: to.account.user, account: to.account.id, id: receivedId } : [],
    )
    .map((side) => ({ ...side, category: 'PAYMENT', action: 'CREATE', kind: 'Payment' }))
  await publish(writing, events)
  return { id, receivedId }
}
