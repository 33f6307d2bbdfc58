import type { Around } from './around.ts'
import type { Credentials } from './auth/credentials.ts'
import type { Vault } from './auth/vault.ts'
import type { BoundBackup } from './backups.ts'
import type { Blobs, OwnBlobs } from './blobs.ts'
import type { Clock } from './clock/clock.ts'
import type { Database } from './db/db.ts'
import type { GuardedFetch } from './fetch.ts'
import type { Work } from './jobs/jobs.ts'
import type { Queue } from './jobs/queue.ts'
import type { RecentlyUsed } from './memory/recently-used.ts'
import type { Log } from './telemetry/log.ts'
import type { Metrics, Traces } from './telemetry/telemetry.ts'

/** Who gives a subscription to a tenant: the operator binds it, or it goes to whoever first makes something in it. */
export type SubscriptionRule = 'bind' | 'first'

export interface Subscriptions {
  readonly rule: SubscriptionRule
  /** By tenant and subscription: until when this node takes it, for those who read, that it is theirs. */
  readonly entered: RecentlyUsed<number>
}

/** What a node offers to all its services. Made once, at the start. */
export interface Platform {
  readonly subscriptions: Subscriptions
  readonly database: Database
  readonly queue: Queue
  readonly clock: Clock
  /** Why this node must not work: its machine's clock is too far from PostgreSQL's. */
  clockProblem(): string | undefined
  readonly credentials: Credentials
  readonly vault: Vault
  /** Of all services and tenants. A handler or job has its own. */
  readonly blobs: Blobs
  /** Those of a service and a tenant, for what is neither a handler nor a job. */
  blobsOf(service: string, tenant: string): OwnBlobs
  /** How resources are backed up, by type: those of the services on this node, once they have started. */
  readonly backups: ReadonlyMap<string, BoundBackup>
  readonly fetch: GuardedFetch
  readonly log: Log
  readonly metrics: Metrics
  readonly traces: Traces
  readonly around?: Around | undefined
  /** For what neither a handler nor a job writes: with the same handles as theirs, and workers are woken after it. */
  transaction<T>(service: string, tenant: string, work: Work<T>): Promise<T>
}

/** The platform as a service sees it: what neither a handler nor a job does with the database uses the service's share. */
export const platformOf = (platform: Platform, service: string): Platform => ({
  ...platform,
  database: { ...platform.database, ...platform.database.of(`service ${service}`) },
})
