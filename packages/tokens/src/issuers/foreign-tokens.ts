import { type GuardedFetch, isPattern, type Logger, permissionsOf, tenantSubject } from '@icosa/kernel'
import type { CompactJWSHeaderParameters, ProtectedHeaderParameters } from 'jose'
import type { Check } from '../verify/own-tokens.ts'
import { expiryMs, type SignedClaims, signedClaims } from '../verify/signature.ts'
import { isTenant, isText } from '../verify/verified.ts'
import { cacheMs, remoteKeys } from './remote-keys.ts'
import { foreignName, type TrustedIssuer } from './trusted-issuer.ts'

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']
const types = ['jwt', 'at+jwt']

/** Tokens of one trusted issuer. Tenant and permissions come from the operator's rules alone. */
export function foreignTokens(trusted: TrustedIssuer, fetch: GuardedFetch, log: Logger): Check {
  const { issuer, audience } = trusted
  const keys = remoteKeys(trusted, fetch, log)

  return async (token, header) => {
    if (!isAcceptable(header)) return undefined
    const key = await keys.find(header)
    const claims = key && (await signedClaims(token, key, { issuer, audience, algorithms: [header.alg] }))
    if (!claims) return undefined
    const tenant = tenantOf(trusted, claims)
    if (tenant === undefined) return undefined
    const { sub, iat, jti } = claims
    // Never one of our own users, whatever the name.
    const id = foreignName(issuer, sub)
    const checkAgainAt = performance.now() + cacheMs
    return {
      caller: { id, tenant, allows: permissionsOf(patternsOf(trusted, claims)) },
      issuedAtMs: iat * 1000,
      expiresAtMs: expiryMs(claims),
      once: isText(jti) ? [foreignName(issuer, jti)] : [],
      lasting: [id, tenantSubject(tenant)],
      isKeyCurrent: () => performance.now() < checkAgainAt,
    }
  }
}

function isAcceptable(header: ProtectedHeaderParameters): header is CompactJWSHeaderParameters {
  const { alg, typ } = header
  if (typeof typ !== 'string' || typeof alg !== 'string') return false
  return algorithms.includes(alg) && types.includes(typ.toLowerCase().replace(/^application\//, ''))
}

function tenantOf({ tenant, tenantClaim }: TrustedIssuer, claims: SignedClaims): string | undefined {
  const name = tenantClaim === undefined ? tenant : claims[tenantClaim]
  return isTenant(name) ? name : undefined
}

/** Ignores words that are not patterns: a `scope` also contains `openid`. */
function patternsOf({ permissions = [], permissionsClaim }: TrustedIssuer, claims: SignedClaims): readonly string[] {
  if (permissionsClaim === undefined) return permissions
  const value = claims[permissionsClaim]
  const words: unknown[] = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : []
  return words.filter((word): word is string => typeof word === 'string' && isPattern(word))
}
