import { implement, notFound, type ReadingDb, withPreparation } from '@icosa/kernel'
import { checkOwner } from '../access/owner.ts'
import { existingAccount } from '../accounts/existing.ts'
import { created, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { headerNames } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { placeIn } from '../shapes/geolocation.ts'
import { momentOf } from '../shapes/moments.ts'
import { placeOf } from '../shapes/places.ts'
import { visibleWindow } from '../shares/access.ts'
import { batches, payBatch } from './batch.ts'
import { payments as contract } from './contract.ts'
import { orderIn, payOrder, writingOf } from './order.ts'
import * as store from './store.ts'
import { toPayment } from './view.ts'

export const requestIdOf = (headers: { readonly [K in (typeof headerNames.requestId)[number]]?: string }) =>
  headers[headerNames.requestId[0]] ?? headers[headerNames.requestId[1]]

export async function toBatch(
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

export const payments = implement<typeof contract, ServiceRuntime>(contract, {
  // Made before the transaction of this request, with payments of other requests: it commits on its own.
  createPayment: withPreparation(
    async ({ params, body, headers }, { db, caller, clock, runtime }) => {
      await checkOwner(params, { db, caller, clock }, contract.createPayment)
      const from = await existingAccount(db, caller.tenant, params['monetary-accountID'])
      // Payments from a shared account count against a budget, under a lock.
      if (from.user !== params.userID) return undefined
      const options = { requestId: requestIdOf(headers), details: placeIn(headers) }
      return runtime.cashier(caller.tenant, await orderIn(db, caller.tenant, from, body, options))
    },
    async ({ params, body, headers }, context, paid) => {
      if (paid) return created(paid.id)
      const from = await existingAccount(context.db, context.caller.tenant, params['monetary-accountID'])
      const options = { requestId: requestIdOf(headers), details: placeIn(headers), by: params.userID }
      return created((await payOrder(writingOf(context), from, body, options)).id)
    },
  ),
  async listPayments({ params, query }, { db, caller, clock }) {
    const window = await visibleWindow(db, caller.tenant, params, clock.now())
    const rows = await store.listPayments(db, caller.tenant, params['monetary-accountID'], query, window)
    return listed('Payment', query, rows, toPayment, ({ id }) => Number(id))
  },
  async getPayment({ params }, { db, caller, clock }) {
    const window = await visibleWindow(db, caller.tenant, params, clock.now())
    const payment = await store.findPayment(db, caller.tenant, params['monetary-accountID'], params.itemId, window)
    return itemReply('Payment', toPayment(payment ?? notFound('payment', params.itemId)))
  },

  async createPaymentBatch({ params, body, headers }, context) {
    const from = await existingAccount(context.db, context.caller.tenant, params['monetary-accountID'])
    const options = { requestId: requestIdOf(headers), details: placeIn(headers) }
    return created(await payBatch(writingOf(context), from, body.payments, options))
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
