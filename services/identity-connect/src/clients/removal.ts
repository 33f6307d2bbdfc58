import type { Db } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { removeClientConsents } from '../consents/consents.ts'
import { removeOfClient } from '../provider/artifacts/store.ts'
import { remove } from './store.ts'

/** Removes a client with its consents, grants and tokens. Returns whether it existed. */
export async function removeClient(db: Db, tenant: string, id: string): Promise<boolean> {
  if (!(await remove(db, tenant, id))) return false
  await removeClientConsents(db, id)
  await removeOfClient(db, id)
  await revoke(db, id)
  return true
}
