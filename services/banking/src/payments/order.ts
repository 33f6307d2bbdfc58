import type { Context, ReadingDb } from '@icosa/kernel'
import type { Account } from '../accounts/store.ts'
import { checkAttachments } from '../attachments/check.ts'
import type { Amount, Pointer } from '../shapes/contract.ts'
import { spend } from '../shares/budget.ts'
import { amountIn, destinationOf, type Order, type Paid, pay, type Writing } from './pay.ts'

export interface OrderBody {
  readonly amount: Amount
  readonly counterparty_alias: Pointer
  readonly description: string
  readonly merchant_reference?: string
  readonly allow_vendorto?: boolean
  readonly attachment?: readonly { readonly id: number }[]
}

export const writingOf = ({ db, jobs, caller, clock }: Context): Writing => ({
  db,
  jobs,
  tenant: caller.tenant,
  at: clock.now(),
})

export interface OrderOptions {
  readonly details?: Readonly<Record<string, unknown>>
  readonly requestId?: string | undefined
  readonly by?: string | undefined
  /** Whether the payment allocates another one, so that it is not allocated itself. */
  readonly isAllocation?: boolean
}

/** The order of a request body. */
export async function orderIn(
  db: ReadingDb,
  tenant: string,
  from: Account,
  body: OrderBody,
  { details: more, ...options }: OrderOptions = {},
): Promise<Order> {
  const { amount, counterparty_alias, description, ...details } = body
  await checkAttachments(db, tenant, options.by ?? from.user, details.attachment)
  return {
    ...options,
    from,
    to: await destinationOf(db, tenant, counterparty_alias),
    amount: amountIn(from.currency, amount),
    description,
    details: { ...details, ...more },
  }
}

/** Makes a payment from a request body. */
export async function payOrder(
  writing: Writing,
  from: Account,
  body: OrderBody,
  options: OrderOptions = {},
): Promise<Paid> {
  const order = await orderIn(writing.db, writing.tenant, from, body, options)
  const paid = await pay(writing, order)
  if (order.by !== undefined && order.by !== from.user && !paid.isRepeated)
    await spend(writing, order.by, from.id, order.amount)
  return paid
}
