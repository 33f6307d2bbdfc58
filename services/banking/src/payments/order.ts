import type { Context } from '@icosa/kernel'
import type { Account } from '../accounts/store.ts'
import { checkAttachments } from '../attachments/check.ts'
import type { Amount, Pointer } from '../shapes/contract.ts'
import { amountIn, destinationOf, type Paid, pay, type Writing } from './pay.ts'

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

interface OrderOptions {
  readonly details?: Readonly<Record<string, unknown>>
  readonly requestId?: string | undefined
}

/** Makes a payment from a request body. */
export async function payOrder(
  writing: Writing,
  from: Account,
  body: OrderBody,
  options: OrderOptions = {},
): Promise<Paid> {
  const { amount, counterparty_alias, description, ...details } = body
  await checkAttachments(writing.db, writing.tenant, from.user, details.attachment)
  return pay(writing, {
    from,
    to: await destinationOf(writing.db, writing.tenant, counterparty_alias),
    amount: amountIn(from.currency, amount),
    description,
    details: { ...details, ...options.details },
    requestId: options.requestId,
  })
}
