import type { Database } from '../db/db.ts'

/** Encrypts secrets that must be read back. `context` binds a text to its place: moved to another row it is refused. */
export interface Vault {
  seal(secret: string, context: string): Buffer
  open(sealed: Uint8Array, context: string): string
  /** A key for one purpose. It stays the same when the master key is replaced. */
  derive(purpose: string): Buffer
}

/** How a node comes to its vault: where keys come from is the matter of an adapter outside the kernel. */
export type OpenVault = (database: Database) => Promise<Vault & { close(): void }>

/** Where sealed values lie. Keys are replaced by these lists: what is sealed elsewhere would be left behind. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string
  readonly column: string
  /** To what a value is bound, with columns of its row: `job-scheduler {tenant} {id}`. */
  readonly place: string
}

/** The context with which the value of a row is sealed and opened. */
export function placeOf({ place }: SealedColumn, row: Readonly<Record<string, string>>): string {
  return place.replace(/\{(\w+)\}/g, (_, column: string) => row[column] as string)
}

const own: readonly SealedColumn[] = [
  { table: 'icosa.credentials', column: 'signing_secret', place: '{id}' },
  { table: 'icosa.signing_keys', column: 'private_jwk', place: '{kid}' },
]

export function sealedColumnsOf(services: readonly { readonly sealed?: readonly SealedColumn[] }[]): SealedColumn[] {
  return [...own, ...services.flatMap(({ sealed = [] }) => sealed)]
}
