import { isPattern, permissionsOf, tenantSubject } from '@icosa/kernel'
import type { ProtectedHeaderParameters } from 'jose'
import type { OwnKeys } from './own-keys.ts'
import { expiryMs, signedClaims } from './signature.ts'
import { isTenant, isText, type Verified } from './verified.ts'

/** Verifies a token completely; undefined if it is invalid. */
export type Check = (token: string, header: ProtectedHeaderParameters) => Promise<Verified | undefined>

/** The platform's own access tokens by RFC 9068, with tenant and permissions. */
export function ownTokens(keys: OwnKeys, audience: string): Check {
  return async (token, { kid }) => {
    if (!isText(kid)) return undefined
    const ownKey = await keys.find(kid)
    if (!ownKey) return undefined
    const claims = await signedClaims(token, ownKey.key, { audience, typ: 'at+jwt', algorithms: [ownKey.alg] })
    if (!claims) return undefined
    const { sub, iat, jti, tenant, permissions, client_id: client, grant_id: grant, sid: session } = claims
    if (!isText(jti) || !isTenant(tenant) || !arePatterns(permissions)) return undefined
    return {
      caller: { id: sub, tenant, allows: permissionsOf(permissions) },
      issuedAtMs: iat * 1000,
      expiresAtMs: expiryMs(claims),
      once: [jti, grant, session].filter(isText),
      lasting: [sub, client, tenantSubject(tenant)].filter(isText),
      isKeyCurrent: () => keys.has(kid),
    }
  }
}

const arePatterns = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && isPattern(item))
