import { randomUUID } from 'node:crypto'
import { type CellVault, type Db, Failure, systemClock } from '@icosa/kernel'
import { importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { signingKeySet } from '../keys/key-set.ts'
import { platformAudience } from '../verify/verifier.ts'

export interface Issued {
  readonly db: Db
  readonly cellVault: CellVault
  readonly clock: { now(): Date }
}

export const inSeconds = (bySeconds = 0) => Math.floor(systemClock.now().getTime() / 1000) + bySeconds

/** Claims issued by the identity service. */
export const claimsOf = (more: JWTPayload = {}): JWTPayload => ({
  iss: 'https://platform.test',
  aud: platformAudience,
  sub: 'person_ada',
  jti: randomUUID(),
  iat: inSeconds(),
  exp: inSeconds(600),
  tenant: 'ada',
  permissions: ['example:get*'],
  ...more,
})

/** A token as issued by the identity service: by the current signing key. */
export async function issue(
  { db, cellVault, clock }: Issued,
  claims: JWTPayload = {},
  { alg = 'ES256', ...header }: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const { keys } = await signingKeySet(db, cellVault, clock.now())
  const key = keys.find((candidate) => candidate.alg === alg)
  if (!key?.kid) throw new Failure('internal', `There is no key for ${alg}.`)
  return new SignJWT(claimsOf(claims))
    .setProtectedHeader({ alg, typ: 'at+jwt', kid: key.kid, ...header })
    .sign(await importJWK(key, alg))
}
