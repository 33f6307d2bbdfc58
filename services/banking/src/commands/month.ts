import { randomInt } from 'node:crypto'
import type { Clock, Database, Db, JobsOf } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { type Account, listAccounts } from '../accounts/store.ts'
import { sugarDaddies } from '../names.ts'
import { pay, type Writing } from '../payments/pay.ts'
import { requestMoney } from '../requests/request-money.ts'
import { insertSandboxUser } from '../users/sandbox.ts'

/** Suppresses callbacks: subscribers are not notified of synthetic payments. */
const noJobs: JobsOf = {
  enqueue: async () => false,
  enqueueAll: async () => 0,
  cancel: async () => false,
}

export interface Seeded {
  readonly person: { readonly user: string; readonly key: string; readonly iban: string }
  readonly shop: { readonly user: string; readonly key: string; readonly iban: string }
  readonly payments: number
}

const dayMs = 86_400_000
const goods = ['Bread', 'Coffee', 'Flowers', 'A book', 'Lunch', 'Cinema', 'Groceries', 'A bicycle lamp']
const cents = (from: number, to: number) => BigInt(randomInt(from, to))

/** Creates the last month of payments between a synthetic person and shop. */
export async function seedMonth(database: Database, clock: Clock, tenant: string): Promise<Seeded> {
  const now = clock.now()
  return database.transaction(async (db) => {
    const start = new Date(now.getTime() - 30 * dayMs)
    const person = await customer(db, tenant, 'UserPerson', start)
    const shop = await customer(db, tenant, 'UserCompany', start)
    let payments = 0
    for (let day = 0; day <= 30; day++) {
      const writing = { db, jobs: noJobs, tenant, at: new Date(start.getTime() + day * dayMs) }
      if (day % 10 === 0) payments += await income(writing, person.account, day)
      if (day === 0) payments += await income(writing, shop.account, day)
      payments += await spending(writing, person.account, shop.account)
      if (day % 7 === 6)
        payments += await transfer(writing, shop.account, person.account, cents(500, 2_500), 'A refund')
    }
    const summary = ({ account, key }: typeof person) => ({ user: account.user, key, iban: account.iban })
    return { person: summary(person), shop: summary(shop), payments }
  }, tenant)
}

async function customer(db: Db, tenant: string, kind: 'UserPerson' | 'UserCompany', at: Date) {
  const { user, key } = await insertSandboxUser(db, tenant, kind, at)
  const [account] = await listAccounts(db, tenant, user, { count: 1 })
  return { key, account: await existingAccount(db, tenant, (account as Account).id) }
}

async function income(writing: Writing, to: Account, day: number): Promise<number> {
  const description = day === 0 ? 'A start' : 'Wages'
  const counterparty_alias = { type: 'EMAIL', value: sugarDaddies[0] as string }
  await requestMoney(writing, to, {
    amount_inquired: { value: '500.00', currency: 'EUR' },
    counterparty_alias,
    description,
  })
  return 1
}

async function spending(writing: Writing, person: Account, shop: Account): Promise<number> {
  const times = randomInt(0, 3)
  for (let time = 0; time < times; time++)
    await transfer(writing, person, shop, cents(150, 2_000), goods[randomInt(goods.length)] as string)
  return times
}

async function transfer(
  writing: Writing,
  from: Account,
  to: Account,
  amount: bigint,
  description: string,
): Promise<number> {
  await pay(writing, { from, to: { account: to }, amount, description })
  return 1
}
