import { type Context, Failure, sealingContext } from '@icosa/kernel'
import { type Account, houseAccount } from '../accounts/store.ts'
import { labelOf, labelOfOther } from '../accounts/view.ts'
import { cvc2KeyOf, useCode } from '../codes/codes.ts'
import type { Stored } from '../documents/store.ts'
import { placeHold, post, releaseHold } from '../ledger/store.ts'
import { publish } from '../notifications/publish.ts'
import type { Writing } from '../payments/pay.ts'
import { insertPayments } from '../payments/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { readMoment } from '../shapes/moments.ts'
import { type ActionBody, actionStore, type CardBody, findPin, pinColumn, spentSince } from './store.ts'

export interface CardUse {
  readonly amount: bigint
  readonly description: string
  readonly country: string
  readonly city?: string | undefined
  readonly pin?: string | undefined
  readonly isAtm: boolean
  readonly cvc2?: string | undefined
}

/** Every card works in its home country, whatever its permissions. */
const home = 'NL'

/** Returns why a card is declined; undefined if it is accepted. */
async function declineReason(
  { db, tenantVault }: Context<ServiceRuntime>,
  { tenant, at }: Writing,
  card: Stored<CardBody>,
  use: CardUse,
): Promise<string | undefined> {
  const { id, status, body } = card
  if (status !== 'ACTIVE') return `The card is ${status.toLowerCase()}.`
  if (use.isAtm && use.pin === undefined) return 'The PIN is required at an ATM.'
  if (use.pin !== undefined) {
    const sealed = await findPin(db, tenant, id)
    const context = sealingContext(pinColumn, { tenant, card_id: id })
    if (!sealed || (await tenantVault()).open(sealed, context) !== use.pin) return 'The PIN is wrong.'
  }
  if (use.cvc2 !== undefined && !(await useCode(cvc2KeyOf(await tenantVault()), { db, tenant, at }, card, use.cvc2)))
    return 'The CVC2 is wrong.'
  const isAllowed = body.countries.some(
    ({ country, expiry_time: until }) =>
      country === use.country && (typeof until !== 'string' || (readMoment(until) ?? at) > at),
  )
  if (use.country !== home && !isAllowed) return `The card may not be used in ${use.country}.`
  const midnight = new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`)
  const spent = await spentSince(db, tenant, id, use.isAtm, midnight)
  const limit = BigInt(use.isAtm ? body.limitAtm : body.limit)
  return spent + use.amount > limit ? 'The daily limit of the card is reached.' : undefined
}

/** Reserves the amount if the card may spend it. Declined uses are recorded as well. */
export async function useCard(
  context: Context<ServiceRuntime>,
  writing: Writing,
  card: Stored<CardBody>,
  account: Account,
  use: CardUse,
): Promise<string> {
  const { db, tenant, at } = writing
  const { amount, description, country, city = null, isAtm } = use
  const declined = await declineReason(context, writing, card, use)
  const hold = declined === undefined ? await placeHold(db, tenant, { account: account.id, amount, at }) : undefined
  const decision = declined ?? (hold === undefined ? 'The balance of the account is too low.' : 'Allowed.')
  const body: ActionBody = {
    card: card.id,
    amount: String(amount),
    currency: account.currency,
    description,
    city,
    country,
    isAtm,
    decision,
    hold: hold ?? null,
  }
  const status = hold === undefined ? 'REFUSED' : 'AUTHORISED'
  const place = { user: account.user, account: account.id }
  const id = await actionStore.insert(db, tenant, place, { status, body, at })
  const category = hold === undefined ? 'CARD_TRANSACTION_FAILED' : 'CARD_TRANSACTION_SUCCESSFUL'
  await publish(writing, [{ ...place, category, action: 'CREATE', kind: 'MasterCardAction', id }])
  return id
}

/** Captures or releases a reserved amount, once. */
export async function settle(
  writing: Writing,
  account: Account,
  id: string,
  status: 'CLEARED' | 'REVERSED',
): Promise<void> {
  const { db, tenant, at } = writing
  const action = await actionStore.lock(db, tenant, id)
  if (action?.status !== 'AUTHORISED' || action.body.hold === null)
    throw new Failure('invalid', `The authorization was already ${action?.status.toLowerCase()}.`)
  await releaseHold(db, tenant, action.body.hold, at)
  if (status === 'CLEARED') await pay(writing, account, action)
  await actionStore.update(db, tenant, id, { status, at })
  const place = { user: account.user, account: account.id }
  const category = 'CARD_TRANSACTION_SUCCESSFUL'
  await publish(writing, [{ ...place, category, action: 'UPDATE', kind: 'MasterCardAction', id }])
}

async function pay(writing: Writing, account: Account, { id, body }: Stored<ActionBody>): Promise<void> {
  const { db, tenant, at } = writing
  const amount = BigInt(body.amount)
  const shops = await houseAccount(db, tenant, 'card payments', account.currency, at)
  const postings = [
    { account: account.id, amount: -amount },
    { account: shops, amount },
  ]
  const posted = await post(db, tenant, { at, postings })
  if (posted.outcome !== 'posted') throw new Error(`the hold of ${id} could not be captured: ${posted.outcome}`)
  const { currency, description } = body
  const shared = {
    transaction: posted.id,
    currency,
    description,
    type: 'MASTERCARD',
    subType: 'PAYMENT',
    createdAt: at,
  }
  const counterparty = labelOfOther({ value: description }, null)
  const side = { account: account.id, amount: -amount, alias: labelOf(account), counterparty, details: {} }
  const [payment = ''] = await insertPayments(db, tenant, [{ ...shared, ...side }])
  const place = { user: account.user, account: account.id }
  await publish(writing, [{ ...place, category: 'PAYMENT', action: 'CREATE', kind: 'Payment', id: payment }])
}
