import { randomBytes } from 'node:crypto'
import { type Context, Failure, type Preparation } from '@icosa/kernel'
import { issueToken } from '@icosa/tokens'
import { isPassword, nobodysHash } from '@icosa/tokens/passwords'
import { subjectPrefix } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { grantable, permissionsOfScopes, scopes } from './scopes.ts'
import { findLogin, insertSession, type Session } from './store.ts'

export interface GrantRequest {
  readonly grant_type: string
  readonly username?: string
  readonly password?: string
  readonly scope?: string
  readonly client_id?: string
}

const lifetimeMs = 3_600_000

const refuse = (code: string, message: string): never => {
  throw new Failure('invalid', message, { code })
}

/** Authenticates a user, in constant time for unknown names, and returns the session to create. */
export async function checkGrant(
  request: GrantRequest,
  authorization: string | undefined,
  ip: string,
  { db, runtime }: Pick<Preparation<ServiceRuntime>, 'db' | 'runtime'>,
): Promise<Omit<Session, 'id'>> {
  const { grant_type, username, password, scope } = request
  if (grant_type !== 'password') refuse('unsupported_grant_type', 'grant_type must be password')
  if (!username || !password) return refuse('invalid_request', 'username and password are required')
  const requested = scope === undefined || scope.trim() === '' ? undefined : [...new Set(scope.trim().split(/ +/))]
  if (requested?.some((name) => !(scopes as string[]).includes(name)))
    refuse('invalid_scope', `scope must be one or more of ${scopes.join(' ')}`)
  await runtime.guesses.count(username, ip)
  const login = await findLogin(db, username)
  const isRight = await isPassword(password, login?.passwordHash ?? nobodysHash)
  if (!login || !isRight) return refuse('invalid_grant', 'The name or the password is wrong.')
  await runtime.guesses.succeed(username, ip)
  const granted = grantable(login.scopes, requested ?? login.scopes)
  if (granted.length === 0) refuse('invalid_scope', `The user's scopes are ${login.scopes.join(' ')}`)
  const client = request.client_id ?? clientOf(authorization) ?? null
  return { tenant: login.tenant, user: login.user, client, scopes: granted }
}

/** Client name from HTTP Basic. Its secret is not checked: the user's password authenticates the request. */
function clientOf(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return undefined
  const [name] = Buffer.from(encoded, 'base64').toString().split(':')
  return /^[\x21-\x7e]{1,200}$/.test(name ?? '') ? name : undefined
}

/** Issues a platform token, which every node can verify. */
export async function grant({ db, clock, cellVault, runtime }: Context<ServiceRuntime>, login: Omit<Session, 'id'>) {
  const session = { ...login, id: randomBytes(12).toString('base64url') }
  const now = clock.now()
  await insertSession(db, session, now, new Date(now.getTime() + lifetimeMs))
  const access_token = await issueToken(db, clock, cellVault, {
    subject: `${subjectPrefix}${session.id}.${session.user}`,
    tenant: session.tenant,
    permissions: permissionsOfScopes(session.scopes),
    lifetimeMs,
    issuer: runtime.publicUrl,
  })
  return { access_token, token_type: 'Bearer', expires_in: lifetimeMs / 1_000, scope: session.scopes.join(' ') }
}
