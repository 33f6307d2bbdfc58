import { randomUUID } from 'node:crypto'
import type { Clock, Database, Vault } from '@icosa/kernel'
import { secretPlace } from './sealed.ts'
import * as store from './store.ts'

/** What writing a secret takes: a node has it, and so has a command. */
export interface Means {
  readonly database: Pick<Database, 'transaction'>
  readonly vault: Vault
  readonly clock: Clock
}

/** Keeps a new version of a secret, sealed. Answers its number. */
export function setSecret(
  { database, vault, clock }: Means,
  tenant: string,
  name: store.SecretName,
  value: string,
): Promise<number> {
  const id = randomUUID()
  const sealed = vault.seal(value, secretPlace(id))
  return database.transaction((db) => store.insert(db, tenant, name, { id, sealed, now: clock.now() }))
}
