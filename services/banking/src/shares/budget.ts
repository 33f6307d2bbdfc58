import { Failure, notFound } from '@icosa/kernel'
import type { Writing } from '../payments/pay.ts'
import { momentOf } from '../shapes/moments.ts'
import { type Frequency, type Share, shareOf, shareResponses } from './store.ts'

/** When the current period of a budget began, in UTC; weeks begin on Monday. */
function periodStart(frequency: Frequency, now: Date): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const sinceMonday = (now.getUTCDay() + 6) % 7
  const starts: Readonly<Record<Frequency, number>> = {
    DAILY: Date.UTC(year, month, day),
    WEEKLY: Date.UTC(year, month, day - sinceMonday),
    MONTHLY: Date.UTC(year, month, 1),
    YEARLY: Date.UTC(year, 0, 1),
  }
  return momentOf(new Date(starts[frequency]))
}

function spentOf({ body: { budget, spent } }: Share, now: Date): bigint {
  const isCurrent = budget && spent && spent.since === periodStart(budget.frequency, now)
  return isCurrent ? BigInt(spent.amount) : 0n
}

export function available(response: Share, now: Date): bigint {
  const rest = BigInt(response.body.budget?.amount ?? 0) - spentOf(response, now)
  return rest > 0n ? rest : 0n
}

/**
 * Counts a payment of an invitee against the budget, after it was made: one beyond the budget rolls back with its
 * transaction. The share stays locked until then, so that concurrent payments cannot exceed it together.
 */
export async function spend(writing: Writing, user: string, account: string, amount: bigint): Promise<void> {
  const { db, tenant, at } = writing
  const current = await shareOf(db, tenant, { user, account, now: at })
  const share =
    (current && (await shareResponses.lock(db, tenant, current.id))) ?? notFound('monetary account', account)
  if (share.status !== 'ACCEPTED') notFound('monetary account', account)
  const { budget } = share.body
  if (!budget) return
  if (amount > available(share, at))
    throw new Failure('invalid', 'The budget of the shared account does not cover this payment.')
  const spent = { since: periodStart(budget.frequency, at), amount: String(spentOf(share, at) + amount) }
  await shareResponses.update(db, tenant, share.id, { body: { spent }, at: share.updatedAt })
}
