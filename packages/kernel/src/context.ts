import type { Logger } from 'pino'
import { assert, InvariantViolation } from './assert.ts'
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
  /** Whether anyone may call so: limits then count its address, not its tenant. */
  readonly isAnonymous?: boolean
}

/** Calls an open operation, or has a token that anyone may get. It has no tenant: to ask for it is a bug. */
export class AnonymousCaller implements Caller {
  readonly id: string = 'anonymous'
  readonly allows: Allows = () => false
  readonly isAnonymous = true
  /** Where it calls from. */
  readonly ip: string

  constructor(ip: string) {
    this.ip = ip
  }

  get tenant(): never {
    throw new InvariantViolation('An anonymous caller has no tenant.')
  }
}

/** The caller of an open operation. */
export function anonymous(caller: Caller): AnonymousCaller {
  assert(caller instanceof AnonymousCaller, 'This operation is not open.')
  return caller
}

export const tenantOf = (caller: Caller | undefined) => (caller instanceof AnonymousCaller ? undefined : caller?.tenant)

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
