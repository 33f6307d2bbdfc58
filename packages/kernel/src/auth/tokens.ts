import type { Clock } from '../clock/clock.ts'
import type { Caller } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { GuardedFetch } from '../fetch.ts'
import type { Logger } from '../telemetry/log.ts'
import type { CellVault } from './vault.ts'

export interface Tokens {
  /** Returns the caller identified by a bearer token, or undefined if it is invalid. */
  verify(token: string): Caller | undefined | Promise<Caller | undefined>
}

export interface TokensOptions {
  readonly database: Db
  readonly clock: Clock
  readonly cellVault: CellVault
  readonly fetch: GuardedFetch
  readonly log: Logger
}

/** Opens bearer token verification. Token format and keys are up to an adapter outside the kernel. */
export type OpenTokens = (options: TokensOptions) => Tokens

/** Revocation subject for all tokens of a tenant. */
export const tenantSubject = (tenant: string) => `tenant ${tenant}`
