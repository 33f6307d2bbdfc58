import type { Logger } from 'pino'
import type { Allows } from './auth/permissions.ts'
import type { Vault } from './auth/vault.ts'
import type { OwnBlobs } from './blobs.ts'
import type { Clock } from './clock/clock.ts'
import type { Db, ReadingDb } from './db/db.ts'
import type { JobsOf } from './jobs/jobs.ts'
import type { OperationsOf } from './jobs/operations.ts'
import type { ResourcesOf } from './resources.ts'

/** Who calls: a credential of a tenant, with what it allows. */
export interface Caller {
  readonly id: string
  readonly tenant: string
  readonly allows: Allows
}

/** All that the handler of a reading operation can reach. */
export interface ReadingContext<Held = unknown> {
  /** What its service has open on this node: the answer of its `start`. */
  readonly held: Held
  readonly db: ReadingDb
  readonly caller: Caller
  readonly clock: Clock
  readonly operations: Pick<OperationsOf, 'find'>
  readonly blobs: OwnBlobs
  readonly vault: Vault
  readonly log: Logger
  readonly signal: AbortSignal
}

/** The same where the operation writes: `db` is the open transaction. */
export interface Context<Held = unknown> extends ReadingContext<Held> {
  readonly db: Db
  readonly jobs: JobsOf
  readonly resources: ResourcesOf
  readonly operations: OperationsOf
}
