import type { Vault } from '@icosa/kernel'
import type { Action, SimpleAction } from '../actions/action.ts'
import { serviceName } from '../names.ts'

/** What a job must send and nobody may read: the passwords of its actions. */
export interface Passwords {
  readonly main?: string
  readonly error?: string
}

interface JobKey {
  readonly tenant: string
  readonly id: string
}

const place = ({ tenant, id }: JobKey) => `${serviceName} ${tenant} ${id}`

export function sealPasswords(vault: Vault, job: JobKey, passwords: Passwords): Buffer | null {
  return Object.keys(passwords).length === 0 ? null : vault.seal(JSON.stringify(passwords), place(job))
}

export function openPasswords(vault: Vault, job: JobKey, sealed: Uint8Array | null): Passwords {
  return sealed === null ? {} : JSON.parse(vault.open(sealed, place(job)))
}

/** An action as it is kept and shown, and its passwords apart. */
export function split({ errorAction, ...main }: Action): { readonly action: Action; readonly passwords: Passwords } {
  const error = errorAction && passwordOf(errorAction)
  const password = passwordOf(main)
  return {
    action: { ...withoutPassword(main), ...(errorAction && { errorAction: withoutPassword(errorAction) }) },
    passwords: { ...(password !== undefined && { main: password }), ...(error !== undefined && { error }) },
  }
}

const passwordOf = (action: SimpleAction) => ('request' in action ? action.request.authentication?.password : undefined)

function withoutPassword(action: SimpleAction): SimpleAction {
  if (!('request' in action) || !action.request.authentication) return action
  const { password: _, ...authentication } = action.request.authentication
  return { ...action, request: { ...action.request, authentication } }
}

export function withPassword(action: SimpleAction, password: string | undefined): SimpleAction {
  if (password === undefined || !('request' in action) || !action.request.authentication) return action
  const authentication = { ...action.request.authentication, password }
  return { ...action, request: { ...action.request, authentication } }
}

/**
 * A password that the caller left out stays, since nobody can read it to send it back; but only towards the same server
 * and user, or whoever may change a job could have its password sent to themselves.
 */
export function kept(now: Action, before: Action, old: Passwords): Passwords {
  const main = samePlace(now, before) ? old.main : undefined
  const error = now.errorAction && before.errorAction && samePlace(now.errorAction, before.errorAction)
  return {
    ...(main !== undefined && { main }),
    ...(error && old.error !== undefined && { error: old.error }),
  }
}

function samePlace(one: SimpleAction, other: SimpleAction): boolean {
  if (!('request' in one) || !('request' in other)) return false
  const sameServer = new URL(one.request.uri).origin === new URL(other.request.uri).origin
  return sameServer && one.request.authentication?.username === other.request.authentication?.username
}
