import type { Logger } from 'pino'
import { assert, InvariantViolation } from './assert.ts'
import type { Allows } from './auth/permissions.ts'
import type { CellVault, Vault } from './auth/vault.ts'
import type { OwnBlobs } from './blobs.ts'
import type { Clock } from './clock/clock.ts'
import type { Db, ReadingDb } from './db/db.ts'
import type { JobsOf } from './jobs/jobs.ts'
import type { OperationsOf } from './jobs/operations.ts'
import type { ResourcesOf } from './ports/resources.ts'

/** The principal of a request: a credential of a tenant, with its permissions. */
export interface Caller {
  readonly id: string
  readonly tenant: string
  readonly allows: Allows
  /** Open to the public: limits then apply per address, not per tenant. */
  readonly isAnonymous?: boolean
}

/** Caller of an open operation, or with a token that anyone can get. It has no tenant: reading that is a bug. */
export class AnonymousCaller implements Caller {
  readonly id: string = 'anonymous'
  readonly allows: Allows = () => false
  readonly isAnonymous = true
  readonly ip: string

  constructor(ip: string) {
    this.ip = ip
  }

  get tenant(): never {
    throw new InvariantViolation('An anonymous caller has no tenant.')
  }
}

export function anonymous(caller: Caller): AnonymousCaller {
  assert(caller instanceof AnonymousCaller, 'This operation is not open.')
  return caller
}

export const tenantOf = (caller: Caller | undefined) => (caller instanceof AnonymousCaller ? undefined : caller?.tenant)

/** Everything available to a handler that only reads. */
export interface ReadingContext<Runtime = unknown> {
  /** The service's runtime on this node: the result of its `start`. */
  readonly runtime: Runtime
  readonly db: ReadingDb
  readonly caller: Caller
  readonly clock: Clock
  readonly operations: Pick<OperationsOf, 'find'>
  readonly blobs: OwnBlobs
  /** Loads the keys of the caller's tenant. */
  readonly tenantVault: () => Promise<Vault>
  readonly cellVault: CellVault
  readonly log: Logger
  readonly signal: AbortSignal
}

/** Everything available to a handler that writes: `db` is the open transaction. */
export interface Context<Runtime = unknown> extends ReadingContext<Runtime> {
  readonly db: Db
  readonly jobs: JobsOf
  readonly resources: ResourcesOf
  readonly operations: OperationsOf
}
