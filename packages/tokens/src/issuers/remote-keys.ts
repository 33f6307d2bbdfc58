import { Failure, type GuardedFetch, type Logger } from '@icosa/kernel'
import { type CompactJWSHeaderParameters, type CryptoKey, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { atMostEvery } from '../verify/at-most-every.ts'
import { isKeyAddress, type TrustedIssuer } from './trusted-issuer.ts'

/** Keys of another issuer. */
export interface RemoteKeys {
  /** Reads the keys again if they are stale or none matches. Fails if they cannot be read. */
  find(header: CompactJWSHeaderParameters): Promise<CryptoKey | undefined>
}

/** How long keys are cached. */
export const cacheMs = 600_000
const refetchMs = 10_000
const afterFailureMs = 1_000
const request = { maxBytes: 262_144, timeoutMs: 5_000, redirect: 'manual' } as const

type KeySet = ReturnType<typeof createLocalJWKSet>

export function remoteKeys(trusted: TrustedIssuer, fetch: GuardedFetch, log: Logger): RemoteKeys {
  const { issuer } = trusted
  let keys: KeySet | undefined
  let cachedUntil = 0

  const read = atMostEvery(
    refetchMs,
    async () => {
      try {
        const address = trusted.jwksUri ?? (await discover(issuer, fetch))
        // Validated when it is used.
        keys = createLocalJWKSet((await readJson(address, fetch)) as JSONWebKeySet)
        cachedUntil = performance.now() + cacheMs
      } catch (error) {
        log.warn({ err: error, issuer }, 'cannot read the keys of a trusted issuer')
        throw new Failure('unavailable', `The keys of '${issuer}' cannot be read: try again later.`, { cause: error })
      }
    },
    afterFailureMs,
  )

  return {
    async find(header) {
      const cachedKey = performance.now() < cachedUntil ? await matching(keys, header) : undefined
      if (cachedKey) return cachedKey
      await read()
      return matching(keys, header)
    },
  }
}

/** Returns undefined if several match or the matching one is unusable. */
async function matching(keys: KeySet | undefined, header: CompactJWSHeaderParameters): Promise<CryptoKey | undefined> {
  try {
    return await keys?.(header)
  } catch {
    return undefined
  }
}

async function discover(issuer: string, fetch: GuardedFetch): Promise<string> {
  const configuration = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, fetch)
  if (!isRecord(configuration) || configuration.issuer !== issuer)
    throw new Error(`This is not the configuration of '${issuer}'.`)
  if (!isKeyAddress(configuration.jwks_uri, issuer))
    throw new Error(`'${issuer}' does not name an https address for its keys.`)
  return configuration.jwks_uri
}

async function readJson(address: string, fetch: GuardedFetch): Promise<unknown> {
  const { status, body } = await fetch(address, request)
  if (status !== 200) throw new Error(`${address} answered ${status}.`)
  return JSON.parse(Buffer.from(body).toString())
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
