import { Failure, implement, notFound, type ReadingDb } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import { labelOf } from '../accounts/view.ts'
import { created, found, listed } from '../dialect/reply.ts'
import { announce } from '../notifications/announce.ts'
import { payOrder, writingOf } from '../payments/order.ts'
import { amountIn, destinationOf } from '../payments/pay.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { drafts as contract } from './contract.ts'
import { draftRecords, toDraft } from './store.ts'

type Asked = AccountParams & { readonly itemId: string }

const draftOf = async (db: ReadingDb, tenant: string, params: Asked) =>
  (await draftRecords.find(db, tenant, placeOf(params), params.itemId)) ?? notFound('draft', params.itemId)

export const drafts = implement(contract, {
  async createDraftPayment({ params, body }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const account = await accountNamed(db, tenant, params['monetary-accountID'])
    for (const { counterparty_alias, amount } of body.entries) {
      await destinationOf(db, tenant, counterparty_alias)
      amountIn(account.currency, amount, 'body/entries')
    }
    const kept = { entries: body.entries, alias: labelOf(account), payments: [] }
    const id = await draftRecords.insert(db, tenant, placeOf(params), { status: 'PENDING', body: kept, at })
    await announce(writing, [
      { ...placeOf(params), category: 'DRAFT_PAYMENT', action: 'CREATE', kind: 'DraftPayment', id },
    ])
    return created(id)
  },
  async listDraftPayments({ params, query }, { db, caller }) {
    const rows = await draftRecords.list(db, caller.tenant, placeOf(params), query)
    return listed('DraftPayment', query, rows, toDraft, ({ id }) => Number(id))
  },
  async getDraftPayment({ params }, { db, caller }) {
    return found('DraftPayment', toDraft(await draftOf(db, caller.tenant, params)))
  },
  async updateDraftPayment({ params, body: { status, entries } }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const { id } = await draftOf(db, tenant, params)
    const draft = (await draftRecords.lock(db, tenant, id)) ?? notFound('draft', id)
    if (draft.status !== 'PENDING') throw new Failure('invalid', `The draft was ${draft.status.toLowerCase()} already.`)
    const orders = entries ?? draft.body.entries
    const payments: string[] = []
    if (status === 'ACCEPTED') {
      const from = await accountNamed(db, tenant, params['monetary-accountID'])
      for (const order of orders) payments.push((await payOrder(writing, from, order)).id)
    }
    await draftRecords.update(db, tenant, id, { status, body: { entries: orders, payments }, at })
    if (status)
      await announce(writing, [
        { ...placeOf(params), category: 'DRAFT_PAYMENT', action: 'UPDATE', kind: 'DraftPayment', id },
      ])
    return created(id)
  },
})
