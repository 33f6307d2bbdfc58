import type { Database, Db } from '../db/db.ts'

/** Keys of one owner, for envelope encryption of secrets to be read back, and for keys derived from them. */
export interface Keys {
  /** Binds the ciphertext to its row by `context`, as associated data. */
  seal(secret: string, context: string): Buffer
  open(sealed: Uint8Array, context: string): string
  /** Derives a key for one purpose. Replacing the master key does not change it. */
  derive(purpose: string): Buffer
  /** Keys ever derived for a purpose, newest first: for verifying old signatures. */
  everDerived(purpose: string): readonly Buffer[]
}

/** The keys of one tenant, loaded: what they sealed cannot be opened once the tenant is deleted. */
export interface Vault extends Keys {
  readonly tenant: string
}

/** The keys of the cell, for what belongs to no tenant, and those of its tenants. */
export interface CellVault extends Keys {
  /** Loads a tenant's keys; a tenant without any gets them. Within a transaction, name it: it may hold the last connection. */
  of(tenant: string, transaction?: Db): Promise<Vault>
  /** The same for a tenant that an address names before it is verified: creates no keys. */
  find(tenant: string): Promise<Vault>
}

/** Opens a node's vault. Where its keys come from is up to an adapter outside the kernel. */
export type OpenVault = (database: Database) => Promise<CellVault & { close(): void }>

/** A column of sealed values. Key rotation re-encrypts the listed columns and no others. */
export interface SealedColumn {
  /** Qualified with its schema. Its column `tenant` says whose keys seal the values. */
  readonly table: string
  readonly column: string
  /** Template of the associated data, with columns of the row: `job-scheduler {tenant} {id}`. */
  readonly context: string
  /** Sealed under the cell's keys, although rows may have a tenant. */
  readonly isOfCell?: true
}

export function sealingContext({ context }: SealedColumn, row: Readonly<Record<string, string>>): string {
  return context.replace(/\{(\w+)\}/g, (_, column: string) => row[column] as string)
}

/** Keys of tenants are secrets of the cell: rotating its master key re-encrypts them, and nothing under them. */
export const tenantKeys: SealedColumn = {
  table: 'icosa.tenant_keys',
  column: 'sealed',
  context: 'tenant key {tenant} {purpose} {id}',
  isOfCell: true,
}

const own: readonly SealedColumn[] = [
  { table: 'icosa.credentials', column: 'signing_secret', context: '{id}' },
  { table: 'icosa.signing_keys', column: 'private_jwk', context: '{kid}', isOfCell: true },
  tenantKeys,
]

export function sealedColumnsOf(services: readonly { readonly sealed?: readonly SealedColumn[] }[]): SealedColumn[] {
  return [...own, ...services.flatMap(({ sealed = [] }) => sealed)]
}
