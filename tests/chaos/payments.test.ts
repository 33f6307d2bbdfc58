import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { banking } from '@icosa/banking'
import { openDatabase, sql } from '@icosa/kernel'
import { sized, startProxy } from '@icosa/testing'
import { expect, test } from 'vitest'
import { reconcile } from '../../services/banking/src/ledger/store.ts'
import { type Customer, clientAt, customersOf, euros, idOf } from '../../services/banking/src/testing/bank.ts'
import { ownPostgres } from './own-postgres.ts'
import { openCell, type Process } from './processes.ts'

const payments = sized(200, 100_000)
const kills = sized(3, 30)
const clients = 16
const tenant = 'ada'

/** Payment order, from which the expected ledger is computed. */
interface Order {
  readonly number: number
  readonly from: Customer
  readonly to: Customer
  readonly cents: number
}

test(`${payments} payments are each made once, though node, worker and PostgreSQL are killed ${kills} times`, async () => {
  await using postgres = await ownPostgres([banking()])
  await using proxy = await startProxy(postgres.url)
  await using cell = await openCell(postgres)
  // A kill ends processes, not the machine: written data survives without waiting for the disk.
  await cell.database.script('alter system set fsync = off')
  await cell.database.script('select pg_reload_conf()')
  const start = (role: 'api' | 'worker') => cell.start({ [role]: true, bank: true, databaseUrl: proxy.url })
  const nodes = { api: await start('api'), worker: await start('worker') }
  const ask = () => clientAt(`${nodes.api.url}/banking`, cell.key)
  const customer = customersOf(ask())
  const people: Customer[] = []
  for (let n = 0; n < 8; n++) people.push(await customer('500.00'))
  const [merchant] = people as [Customer]
  await using hooks = await listen()
  const notification_filters = [{ category: 'PAYMENT' as const, notification_target: hooks.url }]
  await ask().setUserFilters({ params: merchant.user, body: { notification_filters } })

  const kill = {
    async node(role: 'api' | 'worker') {
      const { child } = nodes[role] as Process
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      nodes[role] = await start(role)
    },
    async database() {
      await postgres.kill()
      proxy.lead(await postgres.start())
    },
  }
  const acknowledged = new Map<number, Set<string>>()
  let next = 0
  let refused = 0
  let failed = 0

  /** Retries with the same request id until acknowledged; every tenth is sent three times concurrently. */
  async function pay({ number, from, to, cents }: Order): Promise<void> {
    const request = {
      params: from.account,
      headers: { 'x-vendor-client-request-id': `payment ${number}` },
      body: { amount: euros((cents / 100).toFixed(2)), counterparty_alias: to.pointer, description: `${number}` },
    }
    const ids = new Set<string>()
    const send = async () => {
      const created = await ask()
        .createPayment(request)
        .catch(({ status }: { status?: number }) => void expect([undefined, 503]).toContain(status))
      if (created) ids.add(idOf(created))
      else failed++
    }
    while (ids.size === 0) {
      await Promise.all(Array.from({ length: number % 10 === 0 ? 3 : 1 }, send))
      if (ids.size === 0) await sleep(100)
    }
    acknowledged.set(number, ids)
  }

  /** Orders more than the balance: nothing of it may be recorded. */
  async function payTooMuch({ from, to }: Order): Promise<void> {
    const body = { amount: euros('99999.00'), counterparty_alias: to.pointer, description: 'too much' }
    const created = ask().createPayment({ params: from.account, body })
    const status = await created.then(
      () => 200,
      (error: { status?: number }) => error.status,
    )
    expect([undefined, 400, 503]).toContain(status)
    if (status === 400) refused++
  }

  const orders: Order[] = Array.from({ length: payments }, (_, number) => {
    const from = people[number % people.length] as Customer
    const to = number % 4 === 1 ? merchant : (people[(number + 3) % people.length] as Customer)
    return { number, from, to, cents: 1 + (number % 5) }
  })
  const paying = Array.from({ length: clients }, async () => {
    for (let order = orders[next++]; order; order = orders[next++]) {
      await pay(order)
      if (order.number % 25 === 0) await payTooMuch(order)
    }
  })
  const killing = (async () => {
    for (let number = 1; number <= kills; number++) {
      while (acknowledged.size < (payments * number) / (kills + 2)) await sleep(20)
      if (number % 3 === 1) await kill.node('worker')
      else if (number % 3 === 2) await kill.node('api')
      else await kill.database()
    }
  })()
  const began = performance.now()
  await Promise.all([...paying, killing])
  const seconds = (performance.now() - began) / 1_000

  const database = openDatabase({ url: proxy.url, maxConnections: 2, onError: () => {} })
  await using _ = { [Symbol.asyncDispose]: () => database.close() }
  const rows = await database.many<{ number: string; id: string; account: string; amount: string }>(sql`
    select description as number, id, account_id as account, amount from banking.payments
    where tenant = ${tenant} and description <> 'Please'`)
  console.log(
    `${acknowledged.size} payments acknowledged in ${seconds.toFixed(0)} s, ${failed} attempts failed, ` +
      `${refused} refused for want of money; ${kills} kills`,
  )

  expect([...acknowledged.values()].filter((ids) => ids.size !== 1)).toEqual([])
  const expected = orders.flatMap(({ number, from, to, cents }) => [
    `${number} ${from.account['monetary-accountID']} ${-cents}`,
    `${number} ${to.account['monetary-accountID']} ${cents}`,
  ])
  const stored = rows.map(({ number, account, amount }) => `${number} ${account} ${amount}`)
  expect(stored.sort()).toEqual(expected.sort())
  const ids = new Map(rows.filter(({ amount }) => Number(amount) < 0).map(({ number, id }) => [Number(number), id]))
  expect([...acknowledged].filter(([number, [id]]) => ids.get(number) !== id)).toEqual([])
  expect(await reconcile(database, tenant)).toEqual({
    sum: 0n,
    balanceMismatches: [],
    overdrawn: [],
    holdMismatches: [],
  })
  expect(refused).toBeGreaterThan(0)

  const received = orders.filter(({ to, from }) => to === merchant || from === merchant)
  await expect
    .poll(() => received.filter(({ number }) => !hooks.of.has(String(number))), { timeout: 120_000 })
    .toEqual([])
})

/** Starts a webhook receiver for payments. */
async function listen() {
  const of = new Set<string>()
  const server = createServer(async (request, response) => {
    const call = JSON.parse(Buffer.concat(await request.toArray()).toString())
    of.add(call.NotificationUrl.object.Payment.description)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`
  return { of, url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
