import { type SealedColumn, sealingContext, type Vault } from '@icosa/kernel'
import type { Authentication, SimpleAction } from '../actions/action.ts'
import { serviceName } from '../names.ts'

/** A certificate with its key, in base64, and its password. */
export interface SecretCertificate {
  readonly pfx: string
  readonly password: string
}

/** Password, client secret or certificate. */
export type Secret = string | SecretCertificate

/** Write-only secrets, by action. */
export interface Secrets {
  readonly main?: Secret
  readonly error?: Secret
}

interface JobKey {
  readonly tenant: string
  readonly id: string
}

export const jobSecrets: SealedColumn = {
  table: 'job_scheduler.jobs',
  column: 'secrets',
  context: `${serviceName} {tenant} {id}`,
}

const contextOf = ({ tenant, id }: JobKey) => sealingContext(jobSecrets, { tenant, id })

export function sealSecrets(vault: Vault, job: JobKey, secrets: Secrets): Buffer | null {
  return Object.keys(secrets).length === 0 ? null : vault.seal(JSON.stringify(secrets), contextOf(job))
}

export function openSecrets(vault: Vault, job: JobKey, sealed: Uint8Array | null): Secrets {
  return sealed === null ? {} : JSON.parse(vault.open(sealed, contextOf(job)))
}

const isOAuth = ({ type }: Authentication) => type === 'ActiveDirectoryOAuth'

/** Adds the secret for execution. */
export function withSecret(action: SimpleAction, secret: Secret | undefined): SimpleAction {
  if (secret === undefined || !('request' in action) || !action.request.authentication) return action
  const { authentication } = action.request
  const credentials = typeof secret !== 'string' ? secret : isOAuth(authentication) ? { secret } : { password: secret }
  return { ...action, request: { ...action.request, authentication: { ...authentication, ...credentials } } }
}
