import { isRefusal, job } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import type { Account } from '../accounts/store.ts'
import { labelOf } from '../accounts/view.ts'
import { publish } from '../notifications/publish.ts'
import { pay, type Writing } from '../payments/pay.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Address } from '../shapes/contract.ts'
import { findUser } from '../users/store.ts'
import { chargedFor, type Fee, type Month, monthBefore, totalOf } from './fees.ts'
import {
  type InvoiceBody,
  invoiceStore,
  lockBilling,
  openInvoices,
  tenantsToBill,
  type Unbilled,
  unbilled,
} from './store.ts'
import { bankLabel, numberOf } from './view.ts'

export const billEveryMs = 3_600_000
const retryMs = 86_400_000
/** Accounts stay locked until the batch commits. */
const batchSize = 20

/** Finds tenants with accounts to bill for the last month, or with invoices to collect. */
export const findUnbilled = job<object, ServiceRuntime>('findUnbilled', {
  async run(_, { db, clock, runtime: { fees } }) {
    if (fees.length === 0) return undefined
    const now = clock.now()
    const tenants = await tenantsToBill(db, monthBefore(now), fees, lastAttempt(now))
    return async (_last, jobs) => {
      await jobs.enqueueAll(
        billTenant,
        tenants.map((tenant) => ({ input: {}, tenant, key: 'bill' })),
      )
    }
  },
})

const lastAttempt = (now: Date) => new Date(now.getTime() - retryMs)

/** Writes a tenant's invoices for the last month, and debits the accounts that can pay. */
export const billTenant = job<object, ServiceRuntime>('billTenant', {
  async run(_, { tenant, clock, transaction, runtime: { fees } }) {
    const month = monthBefore(clock.now())
    const exclusively = <T>(work: (writing: Writing) => Promise<T>) =>
      transaction(async (db, jobs) => {
        await lockBilling(db, tenant)
        return work({ db, jobs, tenant, at: clock.now() })
      })
    let last: string | undefined = '0'
    while (last !== undefined) {
      const after: string = last
      last = await exclusively((writing) => billBatch(writing, month, fees, after))
    }
    while ((await exclusively(collectBatch)) === batchSize);
  },
})

/** Returns the last account billed, or undefined when done. */
async function billBatch(writing: Writing, month: Month, fees: readonly Fee[], after: string) {
  const accounts = await unbilled(writing.db, writing.tenant, month, fees, { after, limit: batchSize })
  for (const account of accounts) await bill(writing, month, fees, account)
  return accounts.at(-1)?.account
}

async function bill(writing: Writing, month: Month, fees: readonly Fee[], { account: id, cards }: Unbilled) {
  const { db, tenant, at } = writing
  const account = await existingAccount(db, tenant, id)
  const user = await findUser(db, tenant, account.user)
  const address = (user?.profile.address_main ?? null) as Address | null
  const body = { month: month.name, charged: chargedFor(fees, cards), alias: labelOf(account), address }
  const place = { user: account.user, account: id }
  const invoice = await invoiceStore.insert(db, tenant, place, { status: 'OPEN', body, at })
  await collect(writing, account, invoice, body)
  await publish(writing, [{ ...place, category: 'BILLING', action: 'CREATE', kind: 'Invoice', id: invoice }])
}

async function collectBatch(writing: Writing): Promise<number> {
  const { db, tenant, at } = writing
  const invoices = await openInvoices(db, tenant, lastAttempt(at), batchSize)
  for (const { id } of invoices) {
    const invoice = await invoiceStore.lock(db, tenant, id)
    if (invoice?.status === 'OPEN')
      await collect(writing, await existingAccount(db, tenant, invoice.account as string), id, invoice.body)
  }
  return invoices.length
}

/** If the balance is too low, the invoice stays open, and only the time of the attempt is updated. */
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
  await invoiceStore.update(writing.db, writing.tenant, id, { status: isPaid ? 'PAID' : undefined, at: writing.at })
}
