import { isRefusal, job } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import type { Account } from '../accounts/store.ts'
import { labelOf } from '../accounts/view.ts'
import { announce } from '../notifications/announce.ts'
import { pay, type Writing } from '../payments/pay.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Address } from '../shapes/contract.ts'
import { findUser } from '../users/store.ts'
import { chargedFor, type Fee, type Month, monthBefore, totalOf } from './fees.ts'
import {
  billAlone,
  type InvoiceBody,
  invoiceRecords,
  openInvoices,
  tenantsToBill,
  type Unbilled,
  unbilled,
} from './store.ts'
import { bankLabel, numberOf } from './view.ts'

export const billEveryMs = 3_600_000
const tryAgainMs = 86_400_000
/** Their accounts are locked until all of them are done. */
const atOnce = 20

/** Looks for whom invoices are to be written, when a month is over, and for what is still to be paid. */
export const findUnbilled = job<object, ServiceRuntime>('findUnbilled', {
  async run(_, { db, clock, runtime: { fees } }) {
    if (fees.length === 0) return undefined
    const now = clock.now()
    const tenants = await tenantsToBill(db, monthBefore(now), fees, lastTry(now))
    return async (_last, jobs) => {
      await jobs.enqueueAll(
        billTenant,
        tenants.map((tenant) => ({ input: {}, tenant, key: 'bill' })),
      )
    }
  },
})

const lastTry = (now: Date) => new Date(now.getTime() - tryAgainMs)

/** Writes the invoices of a bank for the last month, and takes the money for them where it is. */
export const billTenant = job<object, ServiceRuntime>('billTenant', {
  async run(_, { tenant, clock, transaction, runtime: { fees } }) {
    const month = monthBefore(clock.now())
    const inTurn = <T>(work: (writing: Writing) => Promise<T>) =>
      transaction(async (db, jobs) => {
        await billAlone(db, tenant)
        return work({ db, jobs, tenant, at: clock.now() })
      })
    let last: string | undefined = '0'
    while (last !== undefined) {
      const after: string = last
      last = await inTurn((writing) => billSome(writing, month, fees, after))
    }
    while ((await inTurn(collectSome)) === atOnce);
  },
})

/** Answers the last account that it billed, if there was one. */
async function billSome(writing: Writing, month: Month, fees: readonly Fee[], after: string) {
  const some = await unbilled(writing.db, writing.tenant, month, fees, { after, limit: atOnce })
  for (const one of some) await bill(writing, month, fees, one)
  return some.at(-1)?.account
}

async function bill(writing: Writing, month: Month, fees: readonly Fee[], { account: id, cards }: Unbilled) {
  const { db, tenant, at } = writing
  const account = await accountNamed(db, tenant, id)
  const user = await findUser(db, tenant, account.user)
  const address = (user?.profile.address_main ?? null) as Address | null
  const body = { month: month.name, charged: chargedFor(fees, cards), alias: labelOf(account), address }
  const place = { user: account.user, account: id }
  const invoice = await invoiceRecords.insert(db, tenant, place, { status: 'OPEN', body, at })
  await collect(writing, account, invoice, body)
  await announce(writing, [{ ...place, category: 'BILLING', action: 'CREATE', kind: 'Invoice', id: invoice }])
}

async function collectSome(writing: Writing): Promise<number> {
  const { db, tenant, at } = writing
  const some = await openInvoices(db, tenant, lastTry(at), atOnce)
  for (const { id } of some) {
    const kept = await invoiceRecords.lock(db, tenant, id)
    if (kept?.status === 'OPEN')
      await collect(writing, await accountNamed(db, tenant, kept.account as string), id, kept.body)
  }
  return some.length
}

/** An account with too little money keeps its invoice open; that it was tried is written down. */
async function collect(writing: Writing, from: Account, id: string, body: InvoiceBody): Promise<void> {
  const to = { account: undefined, label: bankLabel, purpose: 'fees' } as const
  const billing = { type: 'BILLING', subType: 'BILLING' }
  const description = `Invoice ${numberOf({ id, body })}`
  const isPaid = await pay(writing, { from, to, amount: totalOf(body.charged), description, ...billing }).then(
    () => true,
    (error: unknown) => {
      if (isRefusal(error)) return false
      throw error
    },
  )
  await invoiceRecords.update(writing.db, writing.tenant, id, { status: isPaid ? 'PAID' : undefined, at: writing.at })
}
