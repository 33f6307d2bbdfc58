import type { Vault } from '@icosa/kernel'
import type { Repository } from '../restic/restic.ts'
import { passwordPlace, type VaultRow } from './store.ts'

/** Where the data of a vault is. */
export function repositoryOf({ id, password }: Pick<VaultRow, 'id' | 'password'>, vault: Vault): Repository {
  return { path: id, password: vault.open(password, passwordPlace(id)) }
}
