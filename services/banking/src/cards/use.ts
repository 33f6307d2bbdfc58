import { type Context, Failure, sealingContext } from '@icosa/kernel'
import { type Account, houseAccount } from '../accounts/store.ts'
import { labelOf, labelOfOther } from '../accounts/view.ts'
import { placeHold, post, releaseHold } from '../ledger/store.ts'
import { announce } from '../notifications/announce.ts'
import type { Writing } from '../payments/pay.ts'
import { insertPayments } from '../payments/store.ts'
import type { Record as Kept } from '../records/store.ts'
import { readMoment } from '../shapes/moments.ts'
import { type ActionBody, actionRecords, type CardBody, findPin, pinColumn, spentSince } from './store.ts'

export interface CardUse {
  readonly amount: bigint
  readonly description: string
  readonly country: string
  readonly city?: string | undefined
  readonly pin?: string | undefined
  readonly isAtm: boolean
}

/** The home of every card: it works there, whatever its countries are. */
const home = 'NL'

/** Why a card is refused; undefined if it is not. */
async function objection(
  { db, vault }: Context,
  { tenant, at }: Writing,
  { id, status, body }: Kept<CardBody>,
  use: CardUse,
): Promise<string | undefined> {
  if (status !== 'ACTIVE') return `The card is ${status.toLowerCase()}.`
  if (use.isAtm && use.pin === undefined) return 'A machine asks for the PIN.'
  if (use.pin !== undefined) {
    const sealed = await findPin(db, tenant, id)
    const context = sealingContext(pinColumn, { tenant, card_id: id })
    if (!sealed || vault.open(sealed, context) !== use.pin) return 'The PIN is wrong.'
  }
  const isAllowed = body.countries.some(
    ({ country, expiry_time: until }) =>
      country === use.country && (typeof until !== 'string' || (readMoment(until) ?? at) > at),
  )
  if (use.country !== home && !isAllowed) return `The card may not be used in ${use.country}.`
  const midnight = new Date(`${at.toISOString().slice(0, 10)}T00:00:00Z`)
  const spent = await spentSince(db, tenant, id, use.isAtm, midnight)
  const limit = BigInt(use.isAtm ? body.limitAtm : body.limit)
  return spent + use.amount > limit ? 'The limit of the card for this day is reached.' : undefined
}

/** Reserves the amount if the card may spend it. What is refused is written down as well. */
export async function useCard(
  context: Context,
  writing: Writing,
  card: Kept<CardBody>,
  account: Account,
  use: CardUse,
): Promise<string> {
  const { db, tenant, at } = writing
  const { amount, description, country, city = null, isAtm } = use
  const refusal = await objection(context, writing, card, use)
  const hold = refusal === undefined ? await placeHold(db, tenant, { account: account.id, amount, at }) : undefined
  const decision = refusal ?? (hold === undefined ? 'The account has too little money.' : 'Allowed.')
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
  const id = await actionRecords.insert(db, tenant, place, { status, body, at })
  const category = hold === undefined ? 'CARD_TRANSACTION_FAILED' : 'CARD_TRANSACTION_SUCCESSFUL'
  await announce(writing, [{ ...place, category, action: 'CREATE', kind: 'MasterCardAction', id }])
  return id
}

/** Takes what was reserved, or lets it go; once. */
export async function settle(
  writing: Writing,
  account: Account,
  id: string,
  status: 'CLEARED' | 'REVERSED',
): Promise<void> {
  const { db, tenant, at } = writing
  const kept = await actionRecords.lock(db, tenant, id)
  if (kept?.status !== 'AUTHORISED' || kept.body.hold === null)
    throw new Failure('invalid', `The authorization was ${kept?.status.toLowerCase()} already.`)
  await releaseHold(db, tenant, kept.body.hold, at)
  if (status === 'CLEARED') await pay(writing, account, kept)
  await actionRecords.update(db, tenant, id, { status, at })
  const place = { user: account.user, account: account.id }
  const category = 'CARD_TRANSACTION_SUCCESSFUL'
  await announce(writing, [{ ...place, category, action: 'UPDATE', kind: 'MasterCardAction', id }])
}

async function pay(writing: Writing, account: Account, { id, body }: Kept<ActionBody>): Promise<void> {
  const { db, tenant, at } = writing
  const amount = BigInt(body.amount)
  const shops = await houseAccount(db, tenant, 'card payments', account.currency, at)
  const postings = [
    { account: account.id, amount: -amount },
    { account: shops, amount },
  ]
  const posted = await post(db, tenant, { at, postings })
  if (posted.outcome !== 'posted') throw new Error(`what was reserved for ${id} could not be paid: ${posted.outcome}`)
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
  const where = { user: account.user, account: account.id }
  await announce(writing, [{ ...where, category: 'PAYMENT', action: 'CREATE', kind: 'Payment', id: payment }])
}
