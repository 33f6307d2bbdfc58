import { randomUUID } from 'node:crypto'
import { type CellVault, type Clock, Failure, type ReadingDb, systemClock } from '@icosa/kernel'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import { signingKeySet } from './keys/key-set.ts'
import { platformAudience } from './verify/verifier.ts'

export interface TokenRequest {
  /** Revocable name of the token's owner. */
  readonly subject: string
  readonly tenant: string
  readonly permissions: readonly string[]
  readonly lifetimeMs: number
  readonly issuer: string
  /** Must contain the platform's own. */
  readonly audience?: readonly string[]
}

/** Issues an access token for the platform, for shell users and service accounts: others get theirs from the identity service. */
export function issueToken(db: ReadingDb, clock: Clock, cellVault: CellVault, request: TokenRequest): Promise<string> {
  const { tenant, permissions, audience = [platformAudience] } = request
  const claims = { tenant, permissions, aud: audience.length === 1 ? platformAudience : [...audience] }
  return sign(db, clock, cellVault, { ...request, typ: 'at+jwt', claims })
}

export interface IdentityRequest extends Pick<TokenRequest, 'subject' | 'lifetimeMs' | 'issuer'> {
  readonly audience: string
}

/** Issues a token that identifies a service account to others. The platform itself does not accept it. */
export function issueIdentity(
  db: ReadingDb,
  clock: Clock,
  cellVault: CellVault,
  request: IdentityRequest,
): Promise<string> {
  const claims = { aud: request.audience, azp: request.subject, email: request.subject, email_verified: true }
  return sign(db, clock, cellVault, { ...request, typ: 'JWT', claims })
}

interface Unsigned extends Pick<TokenRequest, 'subject' | 'lifetimeMs' | 'issuer'> {
  readonly typ: string
  readonly claims: JWTPayload
}

async function sign(db: ReadingDb, clock: Clock, cellVault: CellVault, unsigned: Unsigned): Promise<string> {
  const { subject, lifetimeMs, issuer, typ, claims } = unsigned
  const { keys } = await signingKeySet(db, cellVault, clock.now())
  const key = keys.find(({ alg }) => alg === 'ES256')
  if (!key?.kid) throw new Failure('unavailable', 'There is no signing key yet: run `icosa signing-keys rotate`.')
  const now = Math.floor(systemClock.now().getTime() / 1000) // verifiers have real clocks
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ, kid: key.kid })
    .setIssuer(issuer)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + Math.floor(lifetimeMs / 1000))
    .sign(await importJWK(key, 'ES256'))
}
