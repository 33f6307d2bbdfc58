import { randomUUID } from 'node:crypto'
import { implement, invalid, notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { listAccounts } from '../accounts/store.ts'
import { asList, created, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { type Balance, balancesOf } from '../ledger/store.ts'
import { writingOf } from '../payments/order.ts'
import { amountIn, destinationOf } from '../payments/pay.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { placeOf } from '../shapes/places.ts'
import { findUser } from '../users/store.ts'
import { legalNameOf } from '../users/view.ts'
import { cardOf, changeCard, firstAssignment, ownAccount, setPin } from './change-card.ts'
import { checkCountry, randomDigits } from './changes.ts'
import { cards as contract } from './contract.ts'
import { actionStore, type CardBody, cardStore } from './store.ts'
import { settle, useCard } from './use.ts'
import { toAction, toCard } from './view.ts'

async function cardView(db: ReadingDb, tenant: string, card: Stored<CardBody>) {
  const { account, ordered } = card.body
  const balance = (await balancesOf(db, tenant, [account])).get(account) as Balance
  return toCard(card, await existingAccount(db, tenant, account), await existingAccount(db, tenant, ordered), balance)
}

export const cards = implement<typeof contract, ServiceRuntime>(contract, {
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
    return created(await changeCard(context, user, itemId, body))
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
    const { country, city, description, pin_code: pin, is_atm: isAtm = false, cvc2 } = body
    checkCountry(country, 'body/country')
    const amount = amountIn(account.currency, body.amount)
    const use = { amount, description, country, city, pin, isAtm, cvc2 }
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
