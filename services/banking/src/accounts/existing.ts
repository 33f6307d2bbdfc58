import type { ReadingDb } from '@icosa/kernel'
import { type Account, findAccount } from './store.ts'

/** An account that is known to be there: a path names it and the dialect has seen to that, or a row does. */
export async function accountNamed(db: ReadingDb, tenant: string, id: string): Promise<Account> {
  const account = await findAccount(db, tenant, id)
  if (!account) throw new Error(`account ${id} has gone`)
  return account
}
