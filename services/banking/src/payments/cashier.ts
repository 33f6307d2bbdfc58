import { batcher, Failure, type Platform, recentlyUsed } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { type Order, type Paid, payTogether } from './pay.ts'

/** Makes a payment, together with others of its tenant that arrive while earlier ones are made. */
export type Cashier = (tenant: string, order: Order) => Promise<Paid>

/** A transaction of this many holds no locks for long. */
const maxTogether = 100

type Outcome = Paid | Error

/** Payments of different requests share one transaction: a lone one is made at once, and batches grow with the load. */
export function openCashier({ transaction, clock }: Pick<Platform, 'transaction' | 'clock'>): Cashier {
  const cashiers = recentlyUsed<(order: Order) => Promise<ReadonlyMap<Order, Outcome>>>('banking cashiers', 10_000)

  const make = (tenant: string, orders: readonly Order[]): Promise<readonly Outcome[]> =>
    transaction(serviceName, tenant, (db, jobs) => payTogether({ db, jobs, tenant, at: clock.now() }, orders))

  async function makeAll(tenant: string, orders: readonly Order[]): Promise<readonly Outcome[]> {
    try {
      return await make(tenant, orders)
    } catch (error) {
      // Nothing was made, and one order may be the cause. After any other error, the payments may have been made.
      if (orders.length === 1 || !isRejectedStatement(error)) return orders.map(() => error as Error)
      const each: Outcome[] = []
      for (const order of orders) each.push(...(await makeAll(tenant, [order])))
      return each
    }
  }

  function cashierOf(tenant: string) {
    const existing = cashiers.get(tenant)
    if (existing) return existing
    const cashier = batcher(async (orders: readonly Order[]) => {
      const outcomes = new Map<Order, Outcome>()
      for (let first = 0; first < orders.length; first += maxTogether) {
        const some = orders.slice(first, first + maxTogether)
        for (const [nth, outcome] of (await makeAll(tenant, some)).entries()) outcomes.set(some[nth] as Order, outcome)
      }
      return outcomes
    })
    cashiers.set(tenant, cashier)
    return cashier
  }

  return async (tenant, order) => {
    const outcome = (await cashierOf(tenant)(order)).get(order) as Outcome
    if (outcome instanceof Error) throw outcome
    return outcome
  }
}

/** Data exceptions, violated constraints and errors of functions: PostgreSQL has rolled back. */
const isRejectedStatement = (error: unknown) =>
  error instanceof Failure ? error.kind === 'invalid' : /^(22|23|P0)/.test((error as { code?: string }).code ?? '')
