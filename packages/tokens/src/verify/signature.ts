import { systemClock } from '@icosa/kernel'
import { type CryptoKey, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'

/** By how much the clocks of those who issue and those who verify may differ. */
const skewSeconds = 5
/** No token is accepted for longer, whatever it says: keys and revocations are kept for so long. */
const longestLifeSeconds = 24 * 3600

/** What the signature covers, with the claims that every token needs. */
export interface SignedClaims extends JWTPayload {
  readonly sub: string
  readonly iat: number
  readonly exp: number
}

export interface Expectations extends Pick<JWTVerifyOptions, 'typ' | 'issuer'> {
  readonly audience: string
  /** Never taken from the token: that would let it choose how it is checked. */
  readonly algorithms: string[]
}

/** The claims of a token with a right signature, at a time at which it is valid; undefined for any other. */
export async function signedClaims(
  token: string,
  key: CryptoKey,
  expected: Expectations,
): Promise<SignedClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      ...expected,
      requiredClaims: ['sub', 'exp'],
      maxTokenAge: longestLifeSeconds,
      clockTolerance: skewSeconds,
      // Real time, moved platform clock or not: others read these tokens by their own clocks.
      currentDate: systemClock.now(),
    })
    const { sub, iat, exp } = payload
    if (!sub || typeof sub !== 'string' || iat === undefined || exp === undefined) return undefined
    return { ...payload, sub, iat, exp }
  } catch {
    return undefined // whatever is wrong with it, it is not valid
  }
}

/** Until when a token with these claims is valid. */
export function expiryMs({ iat, exp }: SignedClaims): number {
  return (Math.min(exp, iat + longestLifeSeconds) + skewSeconds) * 1000
}
