/**
 * Cost of a payment, a page of an account's payments and a balance in a small and a large ledger, alternately in one
 * run. BENCH_POSTINGS=1000000,10000000 sets the sizes: 10^7 postings with their payments are 5 GB, 10^8 are 50 GB.
 * BENCH_DATABASES names databases on a disk, one per size, which are filled if empty and then kept; with BENCH_TIMES=0
 * they are only filled. Otherwise `scripts/postgres run node bench/banking/scale.ts`
 */
import { jobsIn, openDatabase, prepareDatabase } from '@icosa/kernel'
import { latencyIn, seededBelow, startTestApp, type TestApp } from '@icosa/testing'
import type { Account } from '../../services/banking/src/accounts/store.ts'
import { banking } from '../../services/banking/src/index.ts'
import { balancesOf, reconcile } from '../../services/banking/src/ledger/store.ts'
import { pay } from '../../services/banking/src/payments/pay.ts'
import { listPayments } from '../../services/banking/src/payments/store.ts'
import { type Figure, latencies, record } from '../figures.ts'
import { accountsIn, fillLedger, openAccounts, sizes, tenant } from './scale-store.ts'

const postings = (process.env.BENCH_POSTINGS ?? '100000,1000000').split(',').map(Number)
const times = Number(process.env.BENCH_TIMES ?? 1_000)
const databases = process.env.BENCH_DATABASES?.split(',')
const goal = 1.3
const number = (value: number) => value.toLocaleString('en')

interface Ledger {
  readonly app: TestApp
  readonly accounts: readonly Account[]
}

async function open(size: number, databaseUrl?: string): Promise<Ledger> {
  const services = [banking()]
  if (databaseUrl) {
    const database = openDatabase({ url: databaseUrl, maxConnections: 2, onError: () => {} })
    await prepareDatabase(database, services)
    await database.close()
  }
  const app = await startTestApp({ services, ...(databaseUrl && { databaseUrl }) })
  const { database } = app.platform
  const existing = await accountsIn(database)
  if (existing.length > 0) return { app, accounts: existing }
  await database.transaction((db) => openAccounts(db, 1_000))
  const accounts = await accountsIn(database)
  const began = performance.now()
  await fillLedger(database, accounts, size)
  const seconds = ((performance.now() - began) / 1_000).toFixed(0)
  console.log(`${number(size)} postings in ${seconds} s: ${await sizes(database)}`)
  return { app, accounts }
}

type One = (ledger: Ledger, next: (below: number) => number) => Promise<unknown>
const any = ({ accounts }: Ledger, nth: number) => accounts[nth % accounts.length] as Account

const measured: Readonly<Record<string, One>> = {
  'a payment': ({ app, ...ledger }, next) => {
    const { database, queue, clock } = app.platform
    const payer = next(1_000)
    const to = { account: any({ app, ...ledger }, payer + 1 + next(999)) }
    const order = { from: any({ app, ...ledger }, payer), to, amount: 1n, description: 'Tea' }
    return database.transaction((db) => {
      const writing = { db, jobs: jobsIn(queue, db, 'banking', tenant), tenant, at: clock.now() }
      return pay(writing, { ...order, requestId: `${next(2 ** 30)} ${next(2 ** 30)}` })
    })
  },
  'the newest page': (ledger, next) =>
    listPayments(ledger.app.platform.database, tenant, any(ledger, next(1_000)).id, { count: 25 }),
  'a page in the middle': (ledger, next) => {
    const { database } = ledger.app.platform
    const older_id = Math.floor((postings[ledgers.indexOf(ledger)] as number) / 2)
    return listPayments(database, tenant, any(ledger, next(1_000)).id, { count: 25, older_id })
  },
  'a balance': (ledger, next) => balancesOf(ledger.app.platform.database, tenant, [any(ledger, next(1_000)).id]),
}

const ledgers: Ledger[] = []
try {
  for (const [nth, size] of postings.entries()) ledgers.push(await open(size, databases?.[nth]))
  const figures: Figure[] = []
  for (const [name, one] of times > 0 ? Object.entries(measured) : []) {
    const took = ledgers.map((): number[] => [])
    const next = seededBelow(5)
    for (let time = Math.max(-100, -times); time < times; time++)
      for (const [nth, ledger] of ledgers.entries()) {
        const began = performance.now()
        await one(ledger, next)
        if (time >= 0) took[nth]?.push(performance.now() - began)
      }
    const all = took.map(latencyIn)
    const ratio = (all.at(-1)?.p50 ?? Number.NaN) / (all[0]?.p50 ?? Number.NaN)
    const among = (size = 0) => `${name} among ${number(size)} postings`
    const comparedWith = `that among ${number(postings[0] ?? 0)}`
    figures.push(
      { name: among(postings.at(-1)), value: ratio, unit: '×', comparedWith, goal: { atMost: goal } },
      ...all.flatMap((took, nth) => latencies(`${among(postings[nth])}, latency`, took)),
    )
  }
  for (const { app } of ledgers) {
    const { sum, balanceMismatches } = await reconcile(app.platform.database, tenant)
    if (sum !== 0n || balanceMismatches.length > 0) throw new Error('the ledger does not balance')
  }
  if (figures.length > 0) record(figures)
} finally {
  for (const { app } of ledgers) await app[Symbol.asyncDispose]()
}
