import type { Db } from '@icosa/kernel'
import { revoke } from '@icosa/tokens'
import { forgetClient } from '../consents/consents.ts'
import { removeOfClient } from '../provider/artifacts/store.ts'
import { remove } from './store.ts'

/** A client with all that was given to it. Answers whether it was there. */
export async function removeClient(db: Db, tenant: string, id: string): Promise<boolean> {
  if (!(await remove(db, tenant, id))) return false
  await forgetClient(db, id)
  await removeOfClient(db, id)
  await revoke(db, id)
  return true
}
