import type { Database } from '../db/db.ts'

/** Envelope encryption of secrets to be read back. A value is bound to its row by `context`, as associated data. */
export interface Vault {
  seal(secret: string, context: string): Buffer
  open(sealed: Uint8Array, context: string): string
  /** Derives a key for one purpose. Replacing the master key does not change it. */
  derive(purpose: string): Buffer
  /** Keys ever derived for a purpose, newest first: for verifying old signatures. */
  everDerived(purpose: string): readonly Buffer[]
}

/** Opens a node's vault. Where its keys come from is up to an adapter outside the kernel. */
export type OpenVault = (database: Database) => Promise<Vault & { close(): void }>

/** A column of sealed values. Key rotation re-encrypts the listed columns and no others. */
export interface SealedColumn {
  /** Qualified with its schema. */
  readonly table: string
  readonly column: string
  /** Template of the associated data, with columns of the row: `job-scheduler {tenant} {id}`. */
  readonly context: string
}

export function sealingContext({ context }: SealedColumn, row: Readonly<Record<string, string>>): string {
  return context.replace(/\{(\w+)\}/g, (_, column: string) => row[column] as string)
}

const own: readonly SealedColumn[] = [
  { table: 'icosa.credentials', column: 'signing_secret', context: '{id}' },
  { table: 'icosa.signing_keys', column: 'private_jwk', context: '{kid}' },
]

export function sealedColumnsOf(services: readonly { readonly sealed?: readonly SealedColumn[] }[]): SealedColumn[] {
  return [...own, ...services.flatMap(({ sealed = [] }) => sealed)]
}
