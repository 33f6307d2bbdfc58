import { type Caller, type OpenTokens, recentlyUsed, systemClock, type Tokens, type TokensOptions } from '@icosa/kernel'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { foreignTokens } from '../issuers/foreign-tokens.ts'
import { checkIssuers, type TrustedIssuer } from '../issuers/trusted-issuer.ts'
import { revocationList } from '../revocations/list.ts'
import { changeFeed } from './change-feed.ts'
import { ownKeys } from './own-keys.ts'
import { type Check, ownTokens } from './own-tokens.ts'
import type { Verified } from './verified.ts'

export interface JwtSettings {
  /** Audience of the platform's own access tokens. */
  readonly audience?: string | undefined
  readonly trustedIssuers?: readonly TrustedIssuer[] | undefined
}

export const platformAudience = 'urn:icosa:platform'

const maxTokenLength = 8_192
const maxCached = 100_000

/** JWT bearer tokens: the platform's own, and those of issuers trusted by the operator. */
export function jwtTokens({ audience = platformAudience, trustedIssuers = [] }: JwtSettings = {}): OpenTokens {
  checkIssuers(trustedIssuers)
  return (options) => verifier(options, audience, trustedIssuers)
}

function verifier(
  { database, clock, fetch, log }: TokensOptions,
  audience: string,
  issuers: readonly TrustedIssuer[],
): Tokens {
  const keys = ownKeys(database, clock)
  const revoked = revocationList(systemClock)
  const changes = changeFeed(database, clock, keys, revoked)
  const own = ownTokens(keys, audience)
  const foreign = new Map(issuers.map((trusted) => [trusted.issuer, foreignTokens(trusted, fetch, log)]))
  const cache = recentlyUsed<Verified>('tokens', maxCached)
  const checking = new Map<string, Promise<Verified | undefined>>()

  /** A trusted issuer's token is never checked against our keys, nor ours against theirs. */
  async function check(token: string): Promise<Verified | undefined> {
    const claims = unverified(token)
    if (!claims) return undefined
    const checkOf: Check = foreign.get(claims.issuer) ?? own
    const verified = await checkOf(token, claims.header)
    if (verified) cache.set(token, verified)
    return verified
  }

  /** Concurrent requests with the same token share one verification. */
  function checkOnce(token: string): Promise<Verified | undefined> {
    let result = checking.get(token)
    if (!result) {
      result = check(token).finally(() => checking.delete(token))
      checking.set(token, result)
    }
    return result
  }

  async function verifyFully(token: string): Promise<Caller | undefined> {
    if (token.length > maxTokenLength) return undefined
    const cached = cache.get(token)
    const verified = cached?.isKeyCurrent() ? cached : await checkOnce(token)
    if (!verified) return undefined
    if (!changes.isFresh()) await changes.refresh()
    return callerOf(verified)
  }

  function callerOf(token: Verified): Caller | undefined {
    const isValid = token.expiresAtMs > systemClock.now().getTime() && token.isKeyCurrent() && !revoked.refuses(token)
    return isValid ? token.caller : undefined
  }

  return {
    /** Without a promise if possible: this is on the path of every request. */
    verify(token) {
      const cached = changes.isFresh() ? cache.get(token) : undefined
      return cached?.isKeyCurrent() ? callerOf(cached) : verifyFully(token)
    },
  }
}

/** Unverified: only for choosing the keys. */
function unverified(token: string) {
  try {
    return { header: decodeProtectedHeader(token), issuer: decodeJwt(token).iss ?? '' }
  } catch {
    return undefined // not a JWT
  }
}
