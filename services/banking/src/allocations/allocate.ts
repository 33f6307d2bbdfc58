import { existingAccount } from '../accounts/existing.ts'
import { formatAmount } from '../ledger/money.ts'
import { payBatch } from '../payments/batch.ts'
import type { OrderBody } from '../payments/order.ts'
import type { Writing } from '../payments/pay.ts'
import { findPayment, type Payment } from '../payments/store.ts'
import type { Allocation } from './jobs.ts'
import { counterpartyOf, type Definition, instanceStore, isAllocated, type RuleBody, ruleStore } from './store.ts'

const isLike = (payment: Payment, { payment: id, amount, counterparty }: RuleBody) =>
  payment.id === id || (payment.amount === amount && counterpartyOf(payment) === counterparty)

/** Orders of a received amount; fractions are rounded down. */
export function ordersOf(received: bigint, currency: string, definitions: readonly Definition[]): OrderBody[] {
  return definitions.map(({ amount, fraction = 0, counterparty_alias, description = '' }) => ({
    amount: amount ?? { value: formatAmount((received * BigInt(fraction)) / 100n, currency), currency },
    counterparty_alias,
    description,
  }))
}

/** Pays, or records why that was rejected. */
export async function attempt(
  writing: Writing,
  { rule: id, account, payment: paymentId }: Allocation,
  error: string | undefined,
): Promise<undefined> {
  const { db, tenant, at } = writing
  const rule = await ruleStore.lock(db, tenant, id)
  const payment = await findPayment(db, tenant, account, paymentId)
  if (rule?.status !== 'ACTIVE' || !payment || !isLike(payment, rule.body)) return
  if (await isAllocated(db, tenant, id, paymentId)) return
  const from = await existingAccount(db, tenant, account)
  const orders = ordersOf(BigInt(payment.amount), payment.currency, rule.body.definitions)
  const batch = error === undefined ? await payBatch(writing, from, orders, { isAllocation: true }) : null
  const place = { user: rule.user, account, parent: id }
  const body = { trigger: paymentId, batch, error: error ?? null }
  await instanceStore.insert(db, tenant, place, { status: batch ? 'SUCCEEDED' : 'FAILED', body, at })
  if (rule.body.type === 'ONCE') await ruleStore.update(db, tenant, id, { status: 'FINISHED', at })
}
