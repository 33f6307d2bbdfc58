import type { Clock } from '../clock/clock.ts'
import type { Caller } from '../context.ts'
import type { Db } from '../db/db.ts'
import type { GuardedFetch } from '../fetch.ts'
import type { Logger } from '../telemetry/log.ts'
import type { Vault } from './vault.ts'

export interface Tokens {
  /** The caller whom a bearer token names; undefined if it is not valid. */
  verify(token: string): Caller | undefined | Promise<Caller | undefined>
}

export interface TokensOptions {
  readonly database: Db
  readonly clock: Clock
  readonly vault: Vault
  readonly fetch: GuardedFetch
  readonly log: Logger
}

/** How a node checks bearer tokens: their format and their keys are an adapter outside the kernel. */
export type OpenTokens = (options: TokensOptions) => Tokens

/** The name by which all tokens of a tenant are revoked at once. */
export const tenantSubject = (tenant: string) => `tenant ${tenant}`
