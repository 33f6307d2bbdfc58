import { type Db, Failure, invalid, type JobsOf, type ReadingDb } from '@icosa/kernel'
import { isIban, isOurs, plainIban } from '../accounts/iban.ts'
import { type Account, accountByAlias, accountByIban, houseAccount } from '../accounts/store.ts'
import { labelOf, labelOfOther } from '../accounts/view.ts'
import { type Currency, parseMoney } from '../ledger/money.ts'
import { type NewTransaction, type Posted, postTogether } from '../ledger/store.ts'
import { type DomainEvent, publish } from '../notifications/publish.ts'
import type { Amount, LabelMonetaryAccount, Pointer } from '../shapes/contract.ts'
import { insertPayments, type NewPayment, paymentOfTransaction } from './store.ts'

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
  /** The user who pays, if not the owner of the account: someone with whom it is shared. */
  readonly by?: string | undefined
  readonly isAllocation?: boolean
}

export interface Paid {
  /** The payer's payment. */
  readonly id: string
  /** The payee's payment, if it is at this bank. */
  readonly receivedId: string | undefined
  readonly isRepeated: boolean
}

/** Makes a payment, or throws why not. */
export async function pay(writing: Writing, order: Order): Promise<Paid> {
  const [outcome] = (await payTogether(writing, [order])) as readonly [Paid | Failure]
  if (outcome instanceof Failure) throw outcome
  return outcome
}

/**
 * Makes independent payments by one statement for each table. Each has the outcome that it would have alone, in their
 * order: a rejected one leaves the others as they are.
 */
export async function payTogether(writing: Writing, orders: readonly Order[]): Promise<readonly (Paid | Failure)[]> {
  const { db, tenant } = writing
  const outcomes = new Array<Paid | Failure>(orders.length)
  const transactions: { readonly nth: number; readonly transaction: NewTransaction }[] = []
  for (const [nth, order] of orders.entries()) {
    const transaction = await transactionOf(writing, order)
    if (transaction instanceof Failure) outcomes[nth] = transaction
    else transactions.push({ nth, transaction })
  }
  const posted = await postTogether(
    db,
    tenant,
    transactions.map(({ transaction }) => transaction),
  )
  const outcomeOf = transactions.map(({ nth }, index) => ({
    nth,
    order: orders[nth] as Order,
    ...(posted[index] as Posted),
  }))
  const recorded = outcomeOf.filter(({ outcome }) => outcome === 'posted') as readonly Posting[]
  for (const [index, paid] of (await record(writing, recorded)).entries())
    outcomes[(recorded[index] as Posting).nth] = { ...paid, isRepeated: false }
  for (const result of outcomeOf) outcomes[result.nth] ??= await outcomeWithoutPosting(writing, result.order, result)
  return outcomes
}

interface Posting {
  readonly nth: number
  readonly order: Order
  /** Of the transaction. */
  readonly id: string
}

async function outcomeWithoutPosting(writing: Writing, order: Order, posted: Posted): Promise<Paid | Failure> {
  switch (posted.outcome) {
    case 'insufficient':
      return new Failure('invalid', 'Insufficient balance.')
    case 'differs':
      return new Failure('invalid', 'The request id was already used for another payment: choose a new one.')
    case 'repeated':
      return alreadyPaid(writing, order, posted.id)
    default:
      throw new Error(`a payment from account ${order.from.id} was ${posted.outcome}`)
  }
}

async function transactionOf({ db, tenant, at }: Writing, order: Order): Promise<NewTransaction | Failure> {
  const { from, to, amount, requestId, by = from.user } = order
  const refused = refusalOf(order)
  if (refused) return refused
  const other = to.account
    ? to.account.id
    : await houseAccount(db, tenant, to.purpose ?? 'other banks', from.currency, at)
  const postings = [
    { account: from.id, amount: -amount },
    { account: other, amount },
  ]
  const request = requestId === undefined ? undefined : { id: `${by} ${requestId}`, parameters: parametersOf(order) }
  return { at, postings, request }
}

function refusalOf({ from, to }: Order): Failure | undefined {
  const closed = [from, to.account].find((account) => account && account.status !== 'ACTIVE')
  if (closed) return new Failure('invalid', `The account ${closed.iban} is closed.`)
  const at = 'body/counterparty_alias'
  const refuse = (message: string) => failureOf(() => invalid([{ at, message }]))
  if (to.account?.id === from.id) return refuse('is the paying account')
  if (to.account && to.account.currency !== from.currency)
    return refuse(`has an account in ${to.account.currency}: convert it first`)
  return undefined
}

function failureOf(fail: () => never): Failure {
  try {
    return fail()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

const parametersOf = ({ from, to, amount, description }: Order) => [
  from.id,
  to.account ? to.account.id : to.label.iban,
  String(amount),
  description,
]

async function alreadyPaid({ db, tenant }: Writing, { from, to }: Order, transaction: string): Promise<Paid | Failure> {
  const sent = await paymentOfTransaction(db, tenant, from.id, transaction)
  if (!sent) return new Failure('invalid', 'The request id was already used for another purpose: choose a new one.')
  const received = to.account && (await paymentOfTransaction(db, tenant, to.account.id, transaction))
  return { id: sent.id, receivedId: received?.id, isRepeated: true }
}

/** The payments of both sides of posted orders, and their events. */
async function record(writing: Writing, posted: readonly Posting[]) {
  if (posted.length === 0) return []
  const { db, tenant, at } = writing
  const sides = posted.flatMap(({ order, id }) => sidesOf(order, id, at))
  const ids = await insertPayments(db, tenant, sides)
  let next = 0
  const events: DomainEvent[] = []
  const received: DomainEvent[] = []
  const paid = posted.map(({ order: { from, to, by, isAllocation } }) => {
    const event = { category: 'PAYMENT', action: 'CREATE', kind: 'Payment' } as const
    const id = ids[next++] as string
    const payers = by === undefined || by === from.user ? [from.user] : [from.user, by]
    events.push(...payers.map((user) => ({ ...event, user, account: from.id, id })))
    if (!to.account) return { id, receivedId: undefined }
    const receivedId = ids[next++] as string
    const receipt = { ...event, user: to.account.user, account: to.account.id, id: receivedId }
    events.push(receipt)
    if (!isAllocation) received.push(receipt)
    return { id, receivedId }
  })
  await publish(writing, events, received)
  return paid
}

function sidesOf(order: Order, transaction: string, createdAt: Date): NewPayment[] {
  const { from, to, amount, description, type = 'VENDOR', subType = 'PAYMENT', details = {} } = order
  const [own, others] = [labelOf(from), to.account ? labelOf(to.account) : to.label]
  const shared = { transaction, currency: from.currency, description, type, subType, createdAt }
  const sent = { ...shared, account: from.id, amount: -amount, alias: own, counterparty: others, details }
  if (!to.account) return [sent]
  return [sent, { ...shared, account: to.account.id, amount, alias: others, counterparty: own, details: {} }]
}
