import { Failure } from '@icosa/kernel'
import { type Account, findAccount } from '../accounts/store.ts'
import { publish } from '../notifications/publish.ts'
import { type Paid, pay, type Writing } from '../payments/pay.ts'
import { profileStore, resultStore, tabResponses, tabStore } from './store.ts'
import { statusOfTab } from './view.ts'

/** Pays a tab, once. */
export async function payTab(writing: Writing, id: string, from: Account): Promise<Paid> {
  const { db, tenant, at } = writing
  const tab = await tabStore.lock(db, tenant, id)
  const status = tab ? statusOfTab(tab, at) : 'GONE'
  if (!tab || status !== 'WAITING_FOR_PAYMENT')
    throw new Failure('invalid', `This can no longer be paid: it is ${status.toLowerCase()}.`)
  const to = await findAccount(db, tenant, tab.account as string)
  if (!to) throw new Error(`the account of tab ${id} does not exist`)
  const { amount, description, payments, responses = [] } = tab.body
  const paid = await pay(writing, { from, to: { account: to }, amount: BigInt(amount), description, type: 'VENDORME' })
  const received = [...payments, paid.receivedId as string]
  const body = { payment: paid.id, tab: id }
  const place = { user: from.user, account: from.id }
  const response = await tabResponses.insert(db, tenant, place, { status: 'PAID', body, at })
  const change = { payments: received, responses: [...responses, response] }
  await tabStore.update(db, tenant, id, { status: 'PAID', body: change, at })
  const shared = { category: 'VENDORME_TAB', action: 'UPDATE' } as const
  await publish(writing, [
    { user: to.user, account: to.id, ...shared, kind: 'VendorMeTab', id },
    { ...place, ...shared, kind: 'VendorMeTabResultResponse', id: response },
  ])
  return paid
}

/** Donates any amount to a fundraiser, once per form (`once`). */
export async function donate(writing: Writing, id: string, from: Account, amount: bigint, once: string): Promise<Paid> {
  const { db, tenant, at } = writing
  const profile = await profileStore.findAny(db, tenant, id)
  const to = profile && (await findAccount(db, tenant, profile.body.account))
  if (!profile || !to || profile.status !== 'ACTIVE') throw new Failure('invalid', 'This fundraiser has ended.')
  const { description } = profile.body
  const requestId = `fundraiser ${id} ${once}`
  const paid = await pay(writing, { from, to: { account: to }, amount, description, type: 'VENDORME', requestId })
  if (paid.isRepeated) return paid
  const place = { user: to.user, account: to.id, parent: id }
  const [existing] = await resultStore.list(db, tenant, place, { count: 1 })
  const result = existing && (await resultStore.lock(db, tenant, existing.id))
  if (!result) throw new Error(`fundraiser ${id} has no result`)
  const payments = [...result.body.payments, paid.receivedId as string]
  await resultStore.update(db, tenant, result.id, { body: { payments }, at })
  return paid
}
