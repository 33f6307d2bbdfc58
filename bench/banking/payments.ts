/**
 * Whole payments a second, with their rows, events and labels: each in a transaction of its own, and those of different
 * requests together, in turns. Then one client alone, which must not wait longer. The books are reconciled at the end.
 */
import { jobsIn } from '@icosa/kernel'
import { seededBelow, startTestApp } from '@icosa/testing'
import type { Account } from '../../services/banking/src/accounts/store.ts'
import { banking } from '../../services/banking/src/index.ts'
import { reconcile } from '../../services/banking/src/ledger/store.ts'
import { openCashier } from '../../services/banking/src/payments/cashier.ts'
import { type Order, pay } from '../../services/banking/src/payments/pay.ts'
import { inParallel } from '../../services/banking/src/testing/ledger.ts'
import { type Figure, latencies, median, record } from '../figures.ts'
import { accountsIn, openAccounts, tenant } from './scale-store.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const payments = Number(process.env.BENCH_TRANSFERS ?? 2_000)
const clients = 64

await using app = await startTestApp({ services: [banking()] })
const { platform } = app
const { database, queue, clock } = platform
await database.transaction((db) => openAccounts(db, 1_000))
const accounts = await accountsIn(database)
const cashier = openCashier(platform)

const alone = (order: Order) =>
  database.transaction((db) => pay({ db, jobs: jobsIn(queue, db, 'banking', tenant), tenant, at: clock.now() }, order))
const together = (order: Order) => cashier(tenant, order)

interface Measured {
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

async function measure(one: (order: Order) => Promise<unknown>, count: number, concurrency: number): Promise<Measured> {
  const next = seededBelow(7)
  const waits: number[] = []
  const began = performance.now()
  await inParallel(concurrency, count, async () => {
    const payer = next(1_000)
    const to = accounts[(payer + 1 + next(999)) % 1_000] as Account
    const requestId = `${next(2 ** 30)} ${waits.length} ${performance.now()}`
    const start = performance.now()
    await one({ from: accounts[payer] as Account, to: { account: to }, amount: 1n, description: 'Tea', requestId })
    waits.push(performance.now() - start)
  })
  const seconds = (performance.now() - began) / 1_000
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return { rate: count / seconds, p50: at(0.5), p99: at(0.99) }
}

const results: Record<string, Measured[]> = {}
for (let round = 0; round <= rounds; round++) {
  const measured = {
    'each alone': await measure(alone, payments, clients),
    together: await measure(together, payments, clients),
    'one client, alone': await measure(alone, payments / 10, 1),
    'one client, together': await measure(together, payments / 10, 1),
  }
  if (round > 0) for (const [name, one] of Object.entries(measured)) results[name] = [...(results[name] ?? []), one]
}
const of = (name: string, figure: keyof Measured) => median((results[name] ?? []).map((one) => one[figure]))
const { sum, balanceMismatches } = await reconcile(database, tenant)
if (sum !== 0n || balanceMismatches.length > 0) throw new Error('the ledger does not balance')
record([
  {
    name: `payments of different requests together, ${clients} clients`,
    value: of('together', 'rate') / of('each alone', 'rate'),
    unit: '×',
    comparedWith: 'each in a transaction of its own',
    goal: { atLeast: 1 },
  },
  ...Object.keys(results).flatMap((name): Figure[] => [
    { name: `${name}, payments`, value: of(name, 'rate'), unit: '/s' },
    ...latencies(`${name}, latency`, { p50: of(name, 'p50'), p99: of(name, 'p99') }),
  ]),
])
