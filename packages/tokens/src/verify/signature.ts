import { systemClock } from '@icosa/kernel'
import { type CryptoKey, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'

/** Tolerated clock skew between issuers and verifiers. */
const skewSeconds = 5
/** Maximum token lifetime, whatever it claims: keys and revocations are kept that long. */
const maxLifeSeconds = 24 * 3600

/** Verified claims, with those that every token requires. */
export interface SignedClaims extends JWTPayload {
  readonly sub: string
  readonly iat: number
  readonly exp: number
}

export interface Expectations extends Pick<JWTVerifyOptions, 'typ' | 'issuer'> {
  readonly audience: string
  /** Never taken from the token: that would let it choose how it is verified. */
  readonly algorithms: string[]
}

/** Returns the claims of a correctly signed, currently valid token; undefined for any other. */
export async function signedClaims(
  token: string,
  key: CryptoKey,
  expected: Expectations,
): Promise<SignedClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      ...expected,
      requiredClaims: ['sub', 'exp'],
      maxTokenAge: maxLifeSeconds,
      clockTolerance: skewSeconds,
      // Real time, even if the platform's clock is moved: others read these tokens by their own clocks.
      currentDate: systemClock.now(),
    })
    const { sub, iat, exp } = payload
    if (!sub || typeof sub !== 'string' || iat === undefined || exp === undefined) return undefined
    return { ...payload, sub, iat, exp }
  } catch {
    return undefined // invalid, for whatever reason
  }
}

/** Returns the expiry of a token with these claims. */
export function expiryMs({ iat, exp }: SignedClaims): number {
  return (Math.min(exp, iat + maxLifeSeconds) + skewSeconds) * 1000
}
