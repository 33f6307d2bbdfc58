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
  /** For whom the platform's own access tokens are. */
  readonly audience?: string | undefined
  readonly trustedIssuers?: readonly TrustedIssuer[] | undefined
}

export const platformAudience = 'urn:icosa:platform'

const longestToken = 8_192
const cachedLimit = 100_000

/** Bearer tokens that are JWTs: those of the platform, and those of other issuers that the operator trusts. */
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
  const cache = recentlyUsed<Verified>('tokens', cachedLimit)
  const checking = new Map<string, Promise<Verified | undefined>>()

  /** A token of a trusted issuer is never held against our keys, nor one of ours against theirs. */
  async function check(token: string): Promise<Verified | undefined> {
    const read = unverified(token)
    if (!read) return undefined
    const checkOf: Check = foreign.get(read.issuer) ?? own
    const verified = await checkOf(token, read.header)
    if (verified) cache.set(token, verified)
    return verified
  }

  /** Many requests may bring one token at once; it is checked once. */
  function checkOnce(token: string): Promise<Verified | undefined> {
    let answer = checking.get(token)
    if (!answer) {
      answer = check(token).finally(() => checking.delete(token))
      checking.set(token, answer)
    }
    return answer
  }

  async function fromTheStart(token: string): Promise<Caller | undefined> {
    if (token.length > longestToken) return undefined
    const known = cache.get(token)
    const verified = known?.isKeyCurrent() ? known : await checkOnce(token)
    if (!verified) return undefined
    if (!changes.isFresh()) await changes.refresh()
    return callerOf(verified)
  }

  function callerOf(token: Verified): Caller | undefined {
    const isValid = token.expiresAtMs > systemClock.now().getTime() && token.isKeyCurrent() && !revoked.refuses(token)
    return isValid ? token.caller : undefined
  }

  return {
    /** Without a promise where possible: this is on the path of every request. */
    verify(token) {
      const known = changes.isFresh() ? cache.get(token) : undefined
      return known?.isKeyCurrent() ? callerOf(known) : fromTheStart(token)
    },
  }
}

/** Only to choose the keys by: none of it is trusted. */
function unverified(token: string) {
  try {
    return { header: decodeProtectedHeader(token), issuer: decodeJwt(token).iss ?? '' }
  } catch {
    return undefined // not a JWT
  }
}
