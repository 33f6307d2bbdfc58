import type { Caller } from '@icosa/kernel'
import type { Revocable } from '../revocations/list.ts'

/** A token that was valid when verified. It is accepted until it expires, is revoked, or its key is withdrawn. */
export interface Verified extends Revocable {
  readonly caller: Caller
  readonly expiresAtMs: number
  /** Whether its key is still valid. If not, the token is verified again. */
  isKeyCurrent(): boolean
}

/** A valid tenant name: it is used in logs and keys unescaped. */
export const isTenant = (value: unknown): value is string => typeof value === 'string' && /^[\w.@-]{1,100}$/.test(value)

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
