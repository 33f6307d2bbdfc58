import type { Db } from '@icosa/kernel'
import { insertKey } from '../access/store.ts'
import { newSecret } from '../access/tokens.ts'
import { insertAccount } from '../accounts/store.ts'
import { fictitiousUser } from './people.ts'
import { insertUser, type UserKind } from './store.ts'

/** Inserts a fictitious user with an account and a key. */
export async function insertSandboxUser(
  db: Db,
  tenant: string,
  kind: UserKind,
  at: Date,
): Promise<{ readonly user: string; readonly key: string }> {
  const { id: user } = await insertUser(db, tenant, fictitiousUser(kind), at)
  const account = { user, kind: 'MonetaryAccountBank', currency: 'EUR', description: 'Current account' } as const
  await insertAccount(db, tenant, { ...account, details: {}, at })
  const { token: key, hash } = newSecret('sandbox', tenant)
  await insertKey(db, tenant, user, hash)
  return { user, key }
}
