import type { Caller } from '@icosa/kernel'
import type { Revocable } from '../revocations/list.ts'

/** A token that was right when it was checked. It is accepted until it expires, is revoked, or its key is withdrawn. */
export interface Verified extends Revocable {
  readonly caller: Caller
  readonly expiresAtMs: number
  /** Whether its key still counts. If not, the token is checked again from the start. */
  isKeyCurrent(): boolean
}

/** A tenant's name, as credentials have it: it goes into logs and keys as it is. */
export const isTenant = (value: unknown): value is string => typeof value === 'string' && /^[\w.@-]{1,100}$/.test(value)

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
