import { randomUUID } from 'node:crypto'
import { type Context, Failure, implement, invalid, notFound, type ReadingDb, sealingContext } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { type Account, findAccount, listAccounts } from '../accounts/store.ts'
import { asList, created, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { type Balance, balancesOf } from '../ledger/store.ts'
import { writingOf } from '../payments/order.ts'
import { amountIn, destinationOf } from '../payments/pay.ts'
import { placeOf } from '../shapes/places.ts'
import { findUser } from '../users/store.ts'
import { legalNameOf } from '../users/view.ts'
import { changedCountries, changedNumbers, checkCountry, limitIn, randomDigits } from './changes.ts'
import { cards as contract } from './contract.ts'
import { actionStore, type CardBody, cardStore, cardTransitions, pinColumn, putPin } from './store.ts'
import { settle, useCard } from './use.ts'
import { toAction, toCard } from './view.ts'

async function cardOf(db: ReadingDb, tenant: string, user: string, id: string): Promise<Stored<CardBody>> {
  return (await cardStore.find(db, tenant, { user }, id)) ?? notFound('card', id)
}

async function cardView(db: ReadingDb, tenant: string, card: Stored<CardBody>) {
  const { account, ordered } = card.body
  const balance = (await balancesOf(db, tenant, [account])).get(account) as Balance
  return toCard(card, await existingAccount(db, tenant, account), await existingAccount(db, tenant, ordered), balance)
}

/** Checks that an account in a body is the user's. */
async function ownAccount(db: ReadingDb, tenant: string, user: string, id: string, at: string): Promise<Account> {
  const account = await findAccount(db, tenant, id)
  return account?.user === user ? account : invalid([{ at, message: `there is no account ${id}` }])
}

async function setPin({ db, caller, vault }: Context, card: string, pin: string): Promise<void> {
  const context = sealingContext(pinColumn, { tenant: caller.tenant, card_id: card })
  await putPin(db, caller.tenant, card, vault.seal(pin, context))
}

interface Assignment {
  readonly pin_code?: string
  readonly monetary_account_id?: number
}

/** Returns PIN and account of the first assignment; others have no effect. */
async function firstAssignment(db: ReadingDb, tenant: string, user: string, [first]: readonly Assignment[] = []) {
  const id = first?.monetary_account_id
  if (id === undefined) return { pin: first?.pin_code }
  const { id: account } = await ownAccount(db, tenant, user, String(id), 'body/pin_code_assignment')
  return { pin: first?.pin_code, account }
}

/** In the sandbox, the activation code is the last six digits of the card's id. */
const activationCode = (card: string) => card.padStart(6, '0').slice(-6)

const isFinal = (status: string) => !(status in cardTransitions)

export const cards = implement(contract, {
  async createCardDebit({ params: { userID: user }, body }, context) {
    const { db, caller, clock } = context
    const { tenant } = caller
    const at = clock.now()
    const { pin, account: assigned } = await firstAssignment(db, tenant, user, body.pin_code_assignment)
    const byAlias = body.alias && (await destinationOf(db, tenant, body.alias)).account
    if (body.alias && byAlias?.user !== user) invalid([{ at: 'body/alias', message: 'is not an account of the user' }])
    const [first] = (await listAccounts(db, tenant, user, { count: 200 }))
      .filter(({ status }) => status === 'ACTIVE')
      .reverse()
    const account =
      assigned ?? byAlias?.id ?? first?.id ?? invalid([{ at: 'body', message: 'requires an open account' }])
    const fallback = body.monetary_account_id_fallback
    if (fallback !== undefined)
      await ownAccount(db, tenant, user, String(fallback), 'body/monetary_account_id_fallback')
    const card: CardBody = {
      uuid: randomUUID(),
      type: body.type ?? 'MASTERCARD',
      productType: body.product_type ?? 'MASTERCARD_DEBIT',
      nameOnCard: body.name_on_card,
      preferredName: body.preferred_name_on_card ?? null,
      secondLine: body.second_line ?? '',
      orderStatus: 'NEW_CARD_REQUEST_RECEIVED',
      subStatus: 'NONE',
      expiryDate: `${at.getUTCFullYear() + 4}-${at.toISOString().slice(5, 7)}-01`,
      fourDigits: randomDigits(),
      limit: '50000',
      limitAtm: '25000',
      countries: [],
      numbers: [{ id: 1, uuid: randomUUID(), description: 'primary', status: 'ACTIVE', type: 'PRIMARY' }],
      account,
      ordered: account,
      fallback: fallback === undefined ? null : String(fallback),
      reason: null,
    }
    const id = await cardStore.insert(db, tenant, { user }, { status: 'DEACTIVATED', body: card, at })
    await setPin(context, id, pin ?? randomDigits())
    return created(id)
  },
  async listCards({ params, query }, { db, caller }) {
    const rows = await cardStore.list(db, caller.tenant, { user: params.userID }, query)
    const views = await Promise.all(rows.map((row) => cardView(db, caller.tenant, row)))
    return listed(
      'CardDebit',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getCard({ params }, { db, caller }) {
    return itemReply(
      'CardDebit',
      await cardView(db, caller.tenant, await cardOf(db, caller.tenant, params.userID, params.itemId)),
    )
  },
  async updateCard({ params: { userID: user, itemId }, body }, context) {
    const { db, caller, clock } = context
    const { tenant } = caller
    const { id } = await cardOf(db, tenant, user, itemId)
    const card = (await cardStore.lock(db, tenant, id)) ?? notFound('card', id)
    if (isFinal(card.status)) throw new Failure('invalid', `The card was ${card.status.toLowerCase()}: order another.`)
    if (body.activation_code !== undefined && body.activation_code !== activationCode(card.id))
      invalid([
        { at: 'body/activation_code', message: 'is wrong: in the sandbox it is the id of the card, in six digits' },
      ])
    const isActivated = body.activation_code !== undefined || card.body.orderStatus === 'DELIVERED_TO_CUSTOMER'
    if (body.status === 'ACTIVE' && !isActivated)
      invalid([{ at: 'body/activation_code', message: 'is required to activate a new card' }])
    if ((body.status === 'LOST' || body.status === 'STOLEN') && !isActivated)
      invalid([{ at: 'body/status', message: `cannot be ${body.status} before the card is delivered: cancel it` }])
    const { pin, account } = await firstAssignment(db, tenant, user, body.pin_code_assignment)
    const newPin = body.pin_code ?? pin
    if (newPin !== undefined) await setPin(context, card.id, newPin)
    const { currency } = await existingAccount(db, tenant, account ?? card.body.account)
    const fallback = body.monetary_account_id_fallback
    if (fallback !== undefined)
      await ownAccount(db, tenant, user, String(fallback), 'body/monetary_account_id_fallback')
    for (const { monetary_account_id: accountId } of body.primary_account_numbers ?? [])
      if (typeof accountId === 'number')
        await ownAccount(db, tenant, user, String(accountId), 'body/primary_account_numbers')
    const limit = body.card_limit && limitIn(currency, body.card_limit, 'body/card_limit')
    const limitAtm = body.card_limit_atm && limitIn(currency, body.card_limit_atm, 'body/card_limit_atm')
    const change: Partial<CardBody> = {
      ...(body.activation_code !== undefined && { orderStatus: 'DELIVERED_TO_CUSTOMER' }),
      ...(body.order_status && { orderStatus: body.order_status }),
      ...(limit !== undefined && { limit: String(limit) }),
      ...(limitAtm !== undefined && { limitAtm: String(limitAtm) }),
      ...(body.country_permission && { countries: changedCountries(card.body.countries, body.country_permission) }),
      ...(body.primary_account_numbers && { numbers: changedNumbers(card.body.numbers, body.primary_account_numbers) }),
      ...(body.preferred_name_on_card !== undefined && { preferredName: body.preferred_name_on_card }),
      ...(body.second_line !== undefined && { secondLine: body.second_line }),
      ...(body.cancellation_reason !== undefined && { reason: body.cancellation_reason }),
      ...(fallback !== undefined && { fallback: String(fallback) }),
      ...(account !== undefined && { account }),
    }
    await cardStore.update(db, tenant, card.id, { status: body.status, body: change, at: clock.now() })
    return created(card.id)
  },
  async listCardNames({ params }, { db, caller }) {
    const user = (await findUser(db, caller.tenant, params.userID)) ?? notFound('user', params.userID)
    const names = [...new Set([legalNameOf(user), user.displayName])].map((name) => name.slice(0, 20))
    return asList('CardUserNameArray', [{ possible_card_name_array: names }])
  },

  async authorizeCard({ params, body }, context) {
    const { db, caller } = context
    const card = await cardOf(db, caller.tenant, params.userID, params.cardID)
    const account = await existingAccount(db, caller.tenant, card.body.account)
    const { country, city, description, pin_code: pin, is_atm: isAtm = false } = body
    checkCountry(country, 'body/country')
    const amount = amountIn(account.currency, body.amount)
    const use = { amount, description, country, city, pin, isAtm }
    return created(await useCard(context, writingOf(context), card, account, use))
  },
  async settleAuthorization({ params, body }, context) {
    const { db, caller } = context
    const card = await cardOf(db, caller.tenant, params.userID, params.cardID)
    const action = await actionStore.findAny(db, caller.tenant, params.itemId)
    if (!action || action.body.card !== card.id) return notFound('authorization', params.itemId)
    const account = await existingAccount(db, caller.tenant, action.account as string)
    await settle(writingOf(context), account, action.id, body.status)
    return created(action.id)
  },
  async listMasterCardActions({ params, query }, { db, caller }) {
    const account = await existingAccount(db, caller.tenant, params['monetary-accountID'])
    const rows = await actionStore.list(db, caller.tenant, placeOf(params), query)
    return listed(
      'MasterCardAction',
      query,
      rows,
      (row) => toAction(row, account),
      ({ id }) => Number(id),
    )
  },
  async getMasterCardAction({ params }, { db, caller }) {
    const account = await existingAccount(db, caller.tenant, params['monetary-accountID'])
    const action = await actionStore.find(db, caller.tenant, placeOf(params), params.itemId)
    return itemReply('MasterCardAction', toAction(action ?? notFound('action', params.itemId), account))
  },
})
