import type { Blobs, Database, Db, ReadingDb } from '@icosa/kernel'
import type { Facts } from './module.ts'

/** What a service has of a tenant beside rows and blobs under the tenant's name: those go by themselves. */
export interface Tenancy<S = unknown> {
  /** What keeps the tenant from being deleted. */
  holds?(db: ReadingDb, tenant: string, now: Date): Promise<readonly Hold[]>
  /** Ends what lies outside the database, as rows that are still there tell. It may be asked again. */
  release?(tenant: string, given: TenancyGiven<S>): Promise<void>
  /** Deletes rows that are the tenant's by others alone, before those go. Answers how many. */
  removeRows?(db: Db, tenant: string): Promise<number>
}

export interface Hold {
  /** In words, with the date on which it ends if there is one. */
  readonly reason: string
  /** Whether nobody may break it, not even the operator. */
  readonly isFinal: boolean
}

export interface TenancyGiven<S = unknown> {
  readonly settings: S
  readonly facts: Facts
  readonly database: Database
  /** What the service keeps for no tenant in particular. */
  readonly shared: Blobs
  /** For what the operator should know. */
  readonly say: (line: string) => void
}
