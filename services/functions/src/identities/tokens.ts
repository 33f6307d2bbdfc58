import { type ExpiringCache, expiringCache, type Platform, permissionsOf } from '@icosa/kernel'
import { ensureSigningKeys, issueIdentity, issueToken, platformAudience } from '@icosa/tokens'
import { invokePermission } from '../policies/access.ts'
import { accountOf, emailOf } from './email.ts'
import { find } from './store.ts'

/** Issues tokens of service accounts; undefined if the account was deleted. */
export interface AccountTokens {
  access(tenant: string, email: string): Promise<string | undefined>
  /** For an address of the platform, it is also valid to call functions. */
  identity(tenant: string, email: string, audience: string): Promise<string | undefined>
}

const lifetimeMs = 3_600_000
/** Changed permissions take effect within this time, in new tokens. */
const cacheMs = 30_000
/** Seconds that a token is valid for at least. */
export const expiresIn = (lifetimeMs - cacheMs) / 1_000 - 1

export function accountTokens(
  { database, cellVault, clock }: Pick<Platform, 'database' | 'cellVault' | 'clock'>,
  issuer: string,
  isPlatform: (url: URL) => boolean,
): AccountTokens {
  let keys: Promise<void> | undefined
  const cache: ExpiringCache<string | undefined> = expiringCache<string | undefined>({
    name: 'service account tokens',
    forMs: cacheMs,
    limit: 10_000,
    async find(key) {
      const [tenant, email, audience] = JSON.parse(key) as [string, string, string | undefined]
      const name = accountOf(email)
      const account = name && (await find(database.reading, tenant, name))
      if (!account) return undefined
      keys ??= ensureSigningKeys(database, clock, cellVault).then(
        () => {},
        (error) => {
          keys = undefined
          throw error
        },
      )
      await keys
      const request = { subject: emailOf(account), tenant, lifetimeMs, issuer }
      const { permissions } = account
      if (audience == null) return await issueToken(database.reading, clock, cellVault, { ...request, permissions })
      const url = URL.parse(audience)
      if (!url || !isPlatform(url))
        return await issueIdentity(database.reading, clock, cellVault, { ...request, audience })
      const invoking = permissionsOf(permissions)(invokePermission) ? [invokePermission] : []
      const audiences = [audience, platformAudience]
      const scoped = { ...request, permissions: invoking, audience: audiences }
      return await issueToken(database.reading, clock, cellVault, scoped)
    },
  })
  return {
    access: async (tenant, email) => await cache.get(JSON.stringify([tenant, email])),
    identity: async (tenant, email, audience) => await cache.get(JSON.stringify([tenant, email, audience])),
  }
}
