import { Failure, invalid } from '@icosa/kernel'
import { type Account, findAccount } from '../accounts/store.ts'
import { labelOf, labelOfOther } from '../accounts/view.ts'
import { checkAttachments } from '../attachments/check.ts'
import { sugarDaddies } from '../names.ts'
import { publish } from '../notifications/publish.ts'
import { amountIn, destinationOf, pay, type Writing } from '../payments/pay.ts'
import { receive } from '../payments/receive.ts'
import type { Amount, Pointer } from '../shapes/contract.ts'
import { momentOf } from '../shapes/moments.ts'
import { inquiries, type RequestBody, responses } from './store.ts'

export interface RequestOrder {
  readonly amount_inquired: Amount
  readonly counterparty_alias: Pointer
  readonly description: string
  readonly attachment?: readonly { readonly id: number }[]
  readonly allow_vendorme?: boolean
}

/** The most that the sugar daddy grants per request, in cents. */
const maxGrant = 50_000n

/** Requests money from another account of this bank. Returns the id of the request. */
export async function requestMoney(
  writing: Writing,
  to: Account,
  order: RequestOrder,
  batch: string | null = null,
): Promise<string> {
  const { db, tenant, at } = writing
  const { amount_inquired: inquired, counterparty_alias: pointer, description, ...details } = order
  const amount = amountIn(to.currency, inquired, 'body/amount_inquired')
  await checkAttachments(db, tenant, to.user, order.attachment)
  const label = labelOf(to)
  const shared = {
    amount: String(amount),
    responded: null,
    respondedAt: null,
    currency: to.currency,
    description,
    batch,
  }
  if (isSugarDaddy(pointer)) return grant(writing, to, { ...shared, alias: label, details }, amount)
  const { account: from } = await destinationOf(db, tenant, pointer)
  if (!from)
    invalid([
      { at: 'body/counterparty_alias', message: 'is at another bank: only users of this bank can receive requests' },
    ])
  if (from.id === to.id) invalid([{ at: 'body/counterparty_alias', message: 'is the requesting account' }])
  const body = { ...shared, alias: label, counterparty: labelOf(from), other: null, details }
  const id = await inquiries.insert(db, tenant, { user: to.user, account: to.id }, { status: 'PENDING', body, at })
  const response = { ...body, alias: body.counterparty, counterparty: label, other: id }
  const place = { user: from.user, account: from.id }
  const other = await responses.insert(db, tenant, place, { status: 'PENDING', body: response, at })
  await inquiries.update(db, tenant, id, { body: { other }, at })
  await publish(writing, [
    { user: to.user, account: to.id, category: 'REQUEST', action: 'CREATE', kind: 'RequestInquiry', id },
    { user: from.user, account: from.id, category: 'REQUEST', action: 'CREATE', kind: 'RequestResponse', id: other },
  ])
  return id
}

const isSugarDaddy = ({ type, value }: Pointer) => type === 'EMAIL' && sugarDaddies.includes(value.toLowerCase())

/** Pays sandbox money from an account of the bank without overdraft limit, so the books balance. */
async function grant(
  writing: Writing,
  to: Account,
  request: Omit<RequestBody, 'counterparty' | 'other'>,
  amount: bigint,
): Promise<string> {
  const { db, tenant, at } = writing
  if (amount > maxGrant) throw new Failure('invalid', 'The sugar daddy grants at most 500.00 per request.')
  const counterparty = labelOfOther({ value: 'Sugar Daddy' }, null)
  const { description } = request
  const money = { purpose: 'sandbox money', counterparty, amount, description, subType: 'REQUEST' }
  const received = await receive(writing, to, money)
  const responded = { responded: String(amount), respondedAt: momentOf(at) }
  const body = { ...request, ...responded, counterparty, other: null }
  const id = await inquiries.insert(db, tenant, { user: to.user, account: to.id }, { status: 'ACCEPTED', body, at })
  const side = { user: to.user, account: to.id, action: 'CREATE' } as const
  await publish(writing, [{ ...side, category: 'REQUEST', kind: 'RequestInquiry', id }, received], [received])
  return id
}

/** Pays or rejects a request. */
export async function respond(
  writing: Writing,
  id: string,
  {
    status,
    amount_responded: amountResponded,
  }: { readonly status: 'ACCEPTED' | 'REJECTED'; readonly amount_responded?: Amount },
): Promise<void> {
  const { db, tenant, at } = writing
  const response = await responses.lock(db, tenant, id)
  if (!response) throw new Error(`request ${id} does not exist`)
  const { body } = response
  if (response.status !== 'PENDING')
    throw new Failure('invalid', `The request was already ${response.status.toLowerCase()}.`)
  const inquiry = await inquiries.findAny(db, tenant, body.other as string)
  const from = await findAccount(db, tenant, response.account as string)
  const to = inquiry && (await findAccount(db, tenant, inquiry.account as string))
  if (!from || !inquiry || !to) throw new Error(`request ${id} lacks an account or its inquiry`)
  let responded: string | null = null
  if (status === 'ACCEPTED') {
    const amount = amountResponded
      ? amountIn(from.currency, amountResponded, 'body/amount_responded')
      : BigInt(body.amount)
    if (String(amount) !== body.amount)
      invalid([{ at: 'body/amount_responded', message: 'must be the requested amount' }])
    await pay(writing, { from, to: { account: to }, amount, description: body.description, subType: 'REQUEST' })
    responded = String(amount)
  }
  const change = { status, body: { responded, respondedAt: momentOf(at) }, at }
  await responses.update(db, tenant, id, change)
  await inquiries.update(db, tenant, inquiry.id, change)
  await publish(writing, [
    { user: to.user, account: to.id, category: 'REQUEST', action: 'UPDATE', kind: 'RequestInquiry', id: inquiry.id },
    { user: from.user, account: from.id, category: 'REQUEST', action: 'UPDATE', kind: 'RequestResponse', id },
  ])
}

export async function revoke({ db, tenant, at }: Writing, id: string): Promise<void> {
  const { status, body } = (await inquiries.lock(db, tenant, id)) ?? { status: 'GONE', body: undefined }
  if (status !== 'PENDING') throw new Failure('invalid', `The request was already ${status.toLowerCase()}.`)
  await inquiries.update(db, tenant, id, { status: 'REVOKED', at })
  if (body?.other) await responses.update(db, tenant, body.other, { status: 'REVOKED', at })
}
