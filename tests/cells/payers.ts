import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, sql } from '@icosa/kernel'
import { expect } from 'vitest'
import { reconcile } from '../../services/banking/src/ledger/store.ts'
import { type Customer, clientAt, customersOf, euros, idOf } from '../../services/banking/src/testing/bank.ts'
import { type CellsWorld, tenant } from './world.ts'

interface Order {
  readonly number: number
  readonly from: Customer
  readonly to: Customer
  readonly cents: number
}

/** Why an attempt failed; without a status if the connection broke. */
export interface FailedAttempt {
  readonly router: string
  readonly status: number | undefined
  readonly retryAfter: string | null
}

export interface Payers {
  readonly acknowledged: ReadonlyMap<number, ReadonlySet<string>>
  readonly failed: readonly FailedAttempt[]
  /** How long attempts took that were acknowledged. */
  readonly ms: readonly number[]
  /** Resolves once each payment is acknowledged. */
  stop(): Promise<void>
  /** Compares the ledger with what was acknowledged: nothing lost, nothing twice. */
  verify(database: Database): Promise<void>
}

/** Customers of the tenant who pay each other through both routers, until they are stopped; each payment until it is acknowledged. */
export async function startPayers({ routers, key }: CellsWorld, clients = 8): Promise<Payers> {
  const apis = Object.entries(routers).map(([router, { url }]) => ({ router, ask: clientAt(`${url}/banking`, key) }))
  const customer = customersOf((apis[0] as (typeof apis)[0]).ask)
  const people: Customer[] = []
  for (let n = 0; n < 6; n++) people.push(await customer('500.00'))
  const acknowledged = new Map<number, Set<string>>()
  const orders: Order[] = []
  const failed: FailedAttempt[] = []
  const ms: number[] = []
  let isStopped = false

  async function pay({ number, from, to, cents }: Order): Promise<void> {
    const request = {
      params: from.account,
      headers: { 'x-vendor-client-request-id': `payment ${number}` },
      body: { amount: euros((cents / 100).toFixed(2)), counterparty_alias: to.pointer, description: `${number}` },
    }
    const ids = new Set<string>()
    while (ids.size === 0) {
      const { router, ask } = apis[number % apis.length] as (typeof apis)[0]
      const began = performance.now()
      const created = await ask.createPayment(request).catch((error: { status?: number; headers?: Headers }) => {
        failed.push({ router, status: error.status, retryAfter: error.headers?.get('retry-after') ?? null })
      })
      if (created) {
        ids.add(idOf(created))
        ms.push(performance.now() - began)
      } else await sleep(100)
    }
    acknowledged.set(number, ids)
  }

  const paying = Array.from({ length: clients }, async () => {
    while (!isStopped) {
      const number = orders.length
      const [from, to] = [people[number % people.length], people[(number + 1 + (number % 4)) % people.length]]
      const order: Order = { number, from: from as Customer, to: to as Customer, cents: 1 + (number % 5) }
      orders.push(order)
      await pay(order)
    }
  })
  return {
    ...{ acknowledged, failed, ms },
    async stop() {
      isStopped = true
      await Promise.all(paying)
    },
    async verify(database) {
      const rows = await database.many<{ number: string; account: string; amount: string }>(sql`
        select description as number, account_id as account, amount from banking.payments
        where tenant = ${tenant} and description <> 'Please'`)
      const expected = orders.flatMap(({ number, from, to, cents }) => [
        `${number} ${from.account['monetary-accountID']} ${-cents}`,
        `${number} ${to.account['monetary-accountID']} ${cents}`,
      ])
      const stored = rows.map(({ number, account, amount }) => `${number} ${account} ${amount}`)
      expect(stored.toSorted()).toEqual(expected.toSorted())
      expect(await reconcile(database, tenant)).toEqual({
        sum: 0n,
        balanceMismatches: [],
        overdrawn: [],
        holdMismatches: [],
      })
    },
  }
}
