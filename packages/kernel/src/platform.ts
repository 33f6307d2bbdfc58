import type { Credentials } from './auth/credentials.ts'
import type { CellVault } from './auth/vault.ts'
import type { Blobs, OwnBlobs } from './blobs.ts'
import type { Clock } from './clock/clock.ts'
import type { Database } from './db/db.ts'
import type { FaultInjector } from './fault-injection.ts'
import type { GuardedFetch } from './fetch.ts'
import type { Work } from './jobs/jobs.ts'
import type { Queue } from './jobs/queue.ts'
import type { RecentlyUsed } from './memory/recently-used.ts'
import type { AccessLog } from './ports/access-log.ts'
import type { BoundBackup } from './ports/backups.ts'
import type { KeyHolder } from './ports/keys.ts'
import type { Service } from './service.ts'
import type { Log } from './telemetry/log.ts'
import type { Metrics, Traces } from './telemetry/telemetry.ts'

/** How subscriptions are assigned to tenants: by the operator, or to the first tenant that creates something in it. */
export type SubscriptionRule = 'bind' | 'first'

export interface Subscriptions {
  readonly rule: SubscriptionRule
  /** Cache by tenant and subscription: until when reads may assume that it is theirs. */
  readonly entered: RecentlyUsed<number>
}

/** A prerequisite that is missing on this machine. */
export interface UnmetNeed {
  readonly service: string
  readonly need: string
  readonly purpose: string
  readonly isOptional: boolean
  /** How to install it here. */
  readonly remedy: string
}

/** The node itself, as its operators and the console see it. */
export interface NodeFacts {
  /** Services that it serves. */
  readonly services: readonly Service[]
  readonly isDevelopment: boolean
  readonly roles: { readonly api: boolean; readonly worker: boolean }
  readonly clock: 'system' | 'virtual'
  readonly unmetNeeds: () => readonly UnmetNeed[]
}

/** Everything a node offers to its services. Created once, at start-up. */
export interface Platform {
  readonly node: NodeFacts
  readonly subscriptions: Subscriptions
  readonly database: Database
  readonly queue: Queue
  readonly clock: Clock
  /** Why this node must stop working: its machine's clock is too far from PostgreSQL's. */
  clockProblem(): string | undefined
  readonly credentials: Credentials
  readonly cellVault: CellVault
  /** Of all services and tenants. Handlers and jobs get their own. */
  readonly blobs: Blobs
  /** Blobs of a service and a tenant, outside handlers and jobs. */
  blobsOf(service: string, tenant: string): OwnBlobs
  /** Backups by resource type, of the services started on this node. */
  readonly backups: ReadonlyMap<string, BoundBackup>
  /** Keys of the services started on this node. */
  readonly keys: KeyHolder
  /** The log of the service that keeps one; without such a service on this node, entries are dropped. */
  readonly recordAccess: AccessLog
  readonly fetch: GuardedFetch
  readonly log: Log
  readonly metrics: Metrics
  readonly traces: Traces
  readonly faultInjector?: FaultInjector | undefined
  /** For what neither a handler nor a job writes: with the same handles as theirs, and workers are woken after it. */
  transaction<T>(service: string, tenant: string, work: Work<T>): Promise<T>
}

/** The platform as a service sees it: database access outside handlers and jobs is charged to the service. */
export const platformOf = (platform: Platform, service: string): Platform => ({
  ...platform,
  database: { ...platform.database, ...platform.database.of(`service ${service}`) },
})
