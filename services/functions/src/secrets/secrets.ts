import { randomUUID } from 'node:crypto'
import type { Clock, Database, Vault } from '@icosa/kernel'
import { secretContext } from './sealed.ts'
import * as store from './store.ts'

export interface SecretWriter {
  readonly database: Pick<Database, 'transaction'>
  readonly vault: Vault
  readonly clock: Clock
}

/** Stores a new version of a secret, sealed. Returns its number. */
export function setSecret(
  { database, vault, clock }: SecretWriter,
  tenant: string,
  name: store.SecretName,
  value: string,
): Promise<number> {
  const id = randomUUID()
  const sealed = vault.seal(value, secretContext(id))
  return database.transaction((db) => store.insert(db, tenant, name, { id, sealed, now: clock.now() }))
}
