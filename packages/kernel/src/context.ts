import type { Logger } from 'pino'
import type { Allows } from './auth/permissions.ts'
import type { Vault } from './auth/vault.ts'
import type { Blobs } from './blobs.ts'
import type { Clock } from './clock/clock.ts'
import type { Db } from './db/db.ts'
import type { JobsOf } from './jobs/jobs.ts'
import type { OperationsOf } from './jobs/operations.ts'

/** Who calls: a credential of a tenant, with what it allows. */
export interface Caller {
  readonly id: string
  readonly tenant: string
  readonly allows: Allows
}

/** All that a handler can reach. `db` is the open transaction where the operation writes. */
export interface Context<Held = unknown> {
  /** What its service has open on this node: the answer of its `start`. */
  readonly held: Held
  readonly db: Db
  readonly caller: Caller
  readonly clock: Clock
  readonly jobs: JobsOf
  readonly operations: OperationsOf
  readonly blobs: Blobs
  readonly vault: Vault
  readonly log: Logger
  readonly signal: AbortSignal
}
