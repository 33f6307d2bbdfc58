import type { Account } from '../accounts/store.ts'
import { documentStore } from '../documents/store.ts'
import { type OrderBody, type OrderOptions, payOrder } from './order.ts'
import type { Paid, Writing } from './pay.ts'
import { findPayment } from './store.ts'

export const batches = documentStore<{ readonly payments: readonly string[] }>('PaymentBatch')

/** Makes all payments of a batch, or none. Returns its id. */
export async function payBatch(
  writing: Writing,
  from: Account,
  orders: readonly OrderBody[],
  { details, requestId, ...options }: OrderOptions = {},
): Promise<string> {
  const { db, tenant, at } = writing
  const place = { user: from.user, account: from.id }
  const batch = await batches.insert(db, tenant, place, { status: 'ACCEPTED', body: { payments: [] }, at })
  const paid: Paid[] = []
  for (const [nth, order] of orders.entries())
    paid.push(
      await payOrder(writing, from, order, {
        ...options,
        details: { batch_id: Number(batch), ...details },
        requestId: requestId && `${requestId} ${nth}`,
      }),
    )
  const [first] = paid
  if (first?.isRepeated) {
    await batches.remove(db, tenant, place, batch)
    const earlier = await findPayment(db, tenant, from.id, first.id)
    return String(earlier?.details.batch_id)
  }
  await batches.update(db, tenant, batch, { body: { payments: paid.map(({ id }) => id) }, at })
  return batch
}
