import type { ReadingDb, Vault } from '@icosa/kernel'
import type { Repository } from '../restic/restic.ts'
import { hasSnapshots, passwordPlace, type VaultRow } from './store.ts'

/** The existing repository of a vault. */
export function repositoryOf({ id, password }: Pick<VaultRow, 'id' | 'password'>, vault: Vault): Repository {
  return { path: id, password: vault.open(password, passwordPlace(id)), mayCreate: false }
}

/** The same for jobs that write: it may be created if the vault has no snapshot yet. */
export async function writableRepositoryOf(row: VaultRow, vault: Vault, db: ReadingDb): Promise<Repository> {
  return { ...repositoryOf(row, vault), mayCreate: !(await hasSnapshots(db, row)) }
}
