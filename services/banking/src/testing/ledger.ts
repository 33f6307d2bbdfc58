import { type Database, openDatabase, type Service } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { type AccountId, openAccount, type Posted, post } from '../ledger/store.ts'

export const tenant = 'bank'
const at = new Date('2026-01-01T00:00:00Z')

export interface TestLedger extends AsyncDisposable {
  readonly database: Database
  readonly url: string
  /** Opens an account with an initial balance. */
  account(amount?: bigint, overdraft?: bigint): Promise<AccountId>
  transfer(from: AccountId, to: AccountId, amount: bigint, requestId?: string): Promise<Posted>
}

/** Only the tables of the service. */
const tablesOnly = {
  name: 'banking',
  title: 'The ledger',
  apis: [],
  migrations: new URL('../../migrations/', import.meta.url),
} as unknown as Service

export async function openLedger(maxConnections = 32): Promise<TestLedger> {
  const testDatabase = await createTestDatabase([tablesOnly])
  // On a busy machine, a thousand concurrent requests exceed the default wait.
  const database = openDatabase({
    url: testDatabase.url,
    maxConnections,
    onError: () => {},
    limits: { waitMs: 600_000 },
  })
  const mint = await openAccount(database, tenant, { currency: 'EUR', overdraft: null, at })
  const transfer: TestLedger['transfer'] = (from, to, amount, requestId) =>
    database.transaction((db) => post(db, tenant, transferOf(from, to, amount, requestId)))
  return {
    database,
    url: testDatabase.url,
    transfer,
    async account(amount = 0n, overdraft = 0n) {
      const id = await openAccount(database, tenant, { currency: 'EUR', overdraft, at })
      if (amount > 0n) await transfer(mint, id, amount)
      return id
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await testDatabase[Symbol.asyncDispose]()
    },
  }
}

export const transferOf = (from: AccountId, to: AccountId, amount: bigint, requestId?: string) => ({
  at,
  postings: [
    { account: from, amount: -amount },
    { account: to, amount },
  ],
  ...(requestId !== undefined && { request: { id: requestId, parameters: [from, to, String(amount)] } }),
})

/** Calls `work` `count` times, from a number of concurrent clients. */
export async function inParallel(clients: number, count: number, work: (index: number) => Promise<unknown>) {
  let next = 0
  const client = async () => {
    for (let index = next++; index < count; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: clients }, client))
}
