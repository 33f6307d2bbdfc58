import { randomUUID } from 'node:crypto'
import type { CellVault, Clock, Database } from '@icosa/kernel'
import { secretContext } from './sealed.ts'
import * as store from './store.ts'

export interface SecretWriter {
  readonly database: Pick<Database, 'transaction'>
  readonly cellVault: CellVault
  readonly clock: Clock
}

/** Stores a new version of a secret, sealed. Returns its number. */
export async function setSecret(
  { database, cellVault, clock }: SecretWriter,
  tenant: string,
  name: store.SecretName,
  value: string,
): Promise<number> {
  const id = randomUUID()
  const sealed = (await cellVault.of(tenant)).seal(value, secretContext(id))
  return database.transaction((db) => store.insert(db, tenant, name, { id, sealed, now: clock.now() }), tenant)
}
