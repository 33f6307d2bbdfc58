import type { Database } from '../db/db.ts'

/** Encrypts secrets that must be read back. `context` binds a value to its row: moved to another row it is refused. */
export interface Vault {
  seal(secret: string, context: string): Buffer
  open(sealed: Uint8Array, context: string): string
  /** A key for one purpose. It stays the same when the master key is replaced. */
  derive(purpose: string): Buffer
}

/** How a node opens its vault: where its keys come from is up to an adapter outside the kernel. */
export type OpenVault = (database: Database) => Promise<Vault & { close(): void }>

/** A column of sealed values. When keys are replaced, values in the listed columns are sealed again, and no others. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string
  readonly column: string
  /** What a value is bound to, with columns of its row: `job-scheduler {tenant} {id}`. */
  readonly context: string
}

/** The context with which the value of a row is sealed and opened. */
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
