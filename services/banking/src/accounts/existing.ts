import type { ReadingDb } from '@icosa/kernel'
import { type Account, findAccount } from './store.ts'

/** For ids that are known to exist: the dialect has checked the path, or a row refers to the account. */
export async function existingAccount(db: ReadingDb, tenant: string, id: string): Promise<Account> {
  const account = await findAccount(db, tenant, id)
  if (!account) throw new Error(`account ${id} does not exist`)
  return account
}
