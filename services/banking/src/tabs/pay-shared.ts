import { Failure } from '@icosa/kernel'
import { type Account, findAccount } from '../accounts/store.ts'
import { announce } from '../notifications/announce.ts'
import { type Paid, pay, type Writing } from '../payments/pay.ts'
import { profileRecords, resultRecords, tabRecords, tabResponses } from './store.ts'
import { statusOfTab } from './view.ts'

/** Pays what a tab asks for, once. */
export async function payTab(writing: Writing, id: string, from: Account): Promise<Paid> {
  const { db, tenant, at } = writing
  const tab = await tabRecords.lock(db, tenant, id)
  const status = tab ? statusOfTab(tab, at) : 'GONE'
  if (!tab || status !== 'WAITING_FOR_PAYMENT')
    throw new Failure('invalid', `This cannot be paid any more: it is ${status.toLowerCase()}.`)
  const to = await findAccount(db, tenant, tab.account as string)
  if (!to) throw new Error(`tab ${id} has lost its account`)
  const { amount, description, payments, responses = [] } = tab.body
  const paid = await pay(writing, { from, to: { account: to }, amount: BigInt(amount), description, type: 'VENDORME' })
  const received = [...payments, paid.receivedId as string]
  const body = { payment: paid.id, tab: id }
  const place = { user: from.user, account: from.id }
  const response = await tabResponses.insert(db, tenant, place, { status: 'PAID', body, at })
  const told = { payments: received, responses: [...responses, response] }
  await tabRecords.update(db, tenant, id, { status: 'PAID', body: told, at })
  const shared = { category: 'VENDORME_TAB', action: 'UPDATE' } as const
  await announce(writing, [
    { user: to.user, account: to.id, ...shared, kind: 'VendorMeTab', id },
    { ...place, ...shared, kind: 'VendorMeTabResultResponse', id: response },
  ])
  return paid
}

/** Gives any amount to a fundraiser: once, however often the same form is sent. */
export async function give(writing: Writing, id: string, from: Account, amount: bigint, once: string): Promise<Paid> {
  const { db, tenant, at } = writing
  const profile = await profileRecords.findAny(db, tenant, id)
  const to = profile && (await findAccount(db, tenant, profile.body.account))
  if (!profile || !to || profile.status !== 'ACTIVE') throw new Failure('invalid', 'Nobody raises funds here any more.')
  const { description } = profile.body
  const requestId = `fundraiser ${id} ${once}`
  const paid = await pay(writing, { from, to: { account: to }, amount, description, type: 'VENDORME', requestId })
  if (paid.isRepeated) return paid
  const place = { user: to.user, account: to.id, parent: id }
  const [known] = await resultRecords.list(db, tenant, place, { count: 1 })
  const result = known && (await resultRecords.lock(db, tenant, known.id))
  if (!result) throw new Error(`fundraiser ${id} has no result`)
  const payments = [...result.body.payments, paid.receivedId as string]
  await resultRecords.update(db, tenant, result.id, { body: { payments }, at })
  return paid
}
