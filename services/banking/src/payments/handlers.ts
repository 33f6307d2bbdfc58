import { implement, notFound, type ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { created, itemReply, listed } from '../dialect/reply.ts'
import { documentStore, type Stored } from '../documents/store.ts'
import { headerNames } from '../names.ts'
import { placeIn } from '../shapes/geolocation.ts'
import { momentOf } from '../shapes/moments.ts'
import { placeOf } from '../shapes/places.ts'
import { payments as contract } from './contract.ts'
import { payOrder, writingOf } from './order.ts'
import type { Paid } from './pay.ts'
import * as store from './store.ts'
import { toPayment } from './view.ts'

export const requestIdOf = (headers: { readonly [K in (typeof headerNames.requestId)[number]]?: string }) =>
  headers[headerNames.requestId[0]] ?? headers[headerNames.requestId[1]]

const batches = documentStore<{ readonly payments: readonly string[] }>('PaymentBatch')

async function toBatch(
  db: ReadingDb,
  tenant: string,
  { id, account, body, createdAt, updatedAt }: Stored<{ payments: readonly string[] }>,
) {
  const paid = await store.paymentsByIds(db, tenant, account as string, body.payments)
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    payments: { Payment: paid.map(toPayment) },
  }
}

export const payments = implement(contract, {
  async createPayment({ params, body, headers }, context) {
    const from = await existingAccount(context.db, context.caller.tenant, params['monetary-accountID'])
    const options = { requestId: requestIdOf(headers), details: placeIn(headers) }
    const { id } = await payOrder(writingOf(context), from, body, options)
    return created(id)
  },
  async listPayments({ params, query }, { db, caller }) {
    const rows = await store.listPayments(db, caller.tenant, params['monetary-accountID'], query)
    return listed('Payment', query, rows, toPayment, ({ id }) => Number(id))
  },
  async getPayment({ params }, { db, caller }) {
    const payment = await store.findPayment(db, caller.tenant, params['monetary-accountID'], params.itemId)
    return itemReply('Payment', toPayment(payment ?? notFound('payment', params.itemId)))
  },

  async createPaymentBatch({ params, body, headers }, context) {
    const writing = writingOf(context)
    const { db, tenant, at } = writing
    const from = await existingAccount(db, tenant, params['monetary-accountID'])
    const batch = await batches.insert(db, tenant, placeOf(params), { status: 'ACCEPTED', body: { payments: [] }, at })
    const requestId = requestIdOf(headers)
    const paid: Paid[] = []
    for (const [nth, order] of body.payments.entries())
      paid.push(
        await payOrder(writing, from, order, {
          details: { batch_id: Number(batch), ...placeIn(headers) },
          requestId: requestId && `${requestId} ${nth}`,
        }),
      )
    const [first] = paid
    if (first?.isRepeated) {
      await batches.remove(db, tenant, placeOf(params), batch)
      const earlier = await store.findPayment(db, tenant, from.id, first.id)
      return created(Number(earlier?.details.batch_id))
    }
    await batches.update(db, tenant, batch, { body: { payments: paid.map(({ id }) => id) }, at })
    return created(batch)
  },
  async listPaymentBatches({ params, query }, { db, caller }) {
    const rows = await batches.list(db, caller.tenant, placeOf(params), query)
    const views = await Promise.all(rows.map((row) => toBatch(db, caller.tenant, row)))
    return listed(
      'PaymentBatch',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getPaymentBatch({ params }, { db, caller }) {
    const batch = await batches.find(db, caller.tenant, placeOf(params), params.itemId)
    return itemReply('PaymentBatch', await toBatch(db, caller.tenant, batch ?? notFound('batch', params.itemId)))
  },
  async updatePaymentBatch({ params }, { db, caller }) {
    const batch = await batches.find(db, caller.tenant, placeOf(params), params.itemId)
    return created((batch ?? notFound('batch', params.itemId)).id)
  },
})
