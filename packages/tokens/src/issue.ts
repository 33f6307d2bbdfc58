import { randomUUID } from 'node:crypto'
import { type Clock, Failure, type ReadingDb, systemClock, type Vault } from '@icosa/kernel'
import { importJWK, SignJWT } from 'jose'
import { signingKeySet } from './keys/key-set.ts'
import { platformAudience } from './verify/verifier.ts'

export interface TokenRequest {
  /** Revocable name of the token's owner. */
  readonly subject: string
  readonly tenant: string
  readonly permissions: readonly string[]
  readonly lifetimeMs: number
  readonly issuer: string
}

/** Issues an access token for the platform, for shell users: others get theirs from the identity service. */
export async function issueToken(db: ReadingDb, clock: Clock, vault: Vault, request: TokenRequest): Promise<string> {
  const { subject, tenant, permissions, lifetimeMs, issuer } = request
  const { keys } = await signingKeySet(db, vault, clock.now())
  const key = keys.find(({ alg }) => alg === 'ES256')
  if (!key?.kid) throw new Failure('unavailable', 'There is no signing key yet: run `icosa signing-keys rotate`.')
  const now = Math.floor(systemClock.now().getTime() / 1000) // verifiers have real clocks
  return new SignJWT({ tenant, permissions })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid })
    .setIssuer(issuer)
    .setAudience(platformAudience)
    .setSubject(subject)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + Math.floor(lifetimeMs / 1000))
    .sign(await importJWK(key, 'ES256'))
}
