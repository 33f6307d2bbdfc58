import type { Blobs, Database, Db, ReadingDb } from '@icosa/kernel'
import type { Facts } from './module.ts'

/** A tenant's belongings in a service other than rows and blobs under its name, which are deleted generically. */
export interface Tenancy<S = unknown> {
  /** Legal holds and other obstacles to deleting the tenant. */
  holds?(db: ReadingDb, tenant: string, now: Date): Promise<readonly Hold[]>
  /** Releases resources outside the database, found by rows that still exist. Idempotent. */
  release?(tenant: string, given: TenancyGiven<S>): Promise<void>
  /** Deletes rows that belong to the tenant only through others, before those are deleted. Returns their number. */
  removeRows?(db: Db, tenant: string): Promise<number>
  /** Tables that an import leaves empty: `imported` derives their rows from others, or they are of this installation alone. */
  readonly notImported?: readonly string[]
  /** Columns with numbers that are unique in an installation: an import assigns new ones. */
  readonly numbered?: readonly NumberedColumns[]
  /** Runs in the transaction of an import, after the tenant's rows. */
  imported?(db: Db, tenant: string): Promise<void>
}

/** Columns with the same numbers. */
export interface NumberedColumns {
  readonly sequence: string
  /** By table. */
  readonly columns: Readonly<Record<string, string>>
}

export interface Hold {
  /** In words, with its end date if there is one. */
  readonly reason: string
  /** Whether not even the operator may break it. */
  readonly isFinal: boolean
}

export interface TenancyGiven<S = unknown> {
  readonly settings: S
  readonly facts: Facts
  readonly database: Database
  /** Blobs of the service that belong to no tenant. */
  readonly shared: Blobs
  /** For messages to the operator. */
  readonly say: (line: string) => void
}
