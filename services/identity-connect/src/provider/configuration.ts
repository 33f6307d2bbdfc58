import type { Platform } from '@icosa/kernel'
import type { JWK } from 'jose'
import type { Configuration } from 'oidc-provider'
import { approvalCheck, platformTokens } from '../approvals/approvals.ts'
import { clientAdapter } from '../clients/adapter.ts'
import { serviceName } from '../names.ts'
import { deliverSignOut } from '../sessions/jobs.ts'
import type { IdentitySettings } from '../settings.ts'
import { accountClient, accountFor, platformClaims } from './accounts.ts'
import { artifactAdapter } from './artifacts/adapter.ts'
import { libraryPages } from './exchange/pages.ts'
import { tenantIssuer } from './exchange/tenant-issuer.ts'
import { grantFor } from './grants.ts'
import { protocolPolicy } from './policy.ts'

export interface ProviderParts {
  readonly platform: Platform
  readonly settings: IdentitySettings
  /** `https://api.example.com/identity-connect` */
  readonly issuer: string
  readonly keys: readonly JWK[]
}

/** The library's settings for one node under one address. */
export function configurationOf({ platform, settings, issuer, keys }: ProviderParts): Configuration {
  const { database, clock, vault } = platform
  const policy = protocolPolicy([approvalCheck(platform)])
  const base = new URL(issuer).pathname
  // A frame in another site's page may ask whether somebody is signed in. Browsers send cookies there only by TLS.
  const cookie = { httpOnly: true, sameSite: issuer.startsWith('https:') ? ('none' as const) : ('lax' as const) }
  const pages = libraryPages(settings, base)

  return {
    ...policy,
    adapter: (model: string) =>
      model === 'Client' ? clientAdapter(platform) : artifactAdapter(model, database, clock),
    clients: [accountClient(issuer)],
    jwks: { keys: [...keys] } as NonNullable<Configuration['jwks']>,
    cookies: {
      keys: [vault.derive('identity cookies').toString('base64url')],
      names: { session: 'icosa_session', interaction: 'icosa_interaction', resume: 'icosa_resume' },
      long: { ...cookie, path: base },
      short: cookie,
    },
    findAccount: accountFor(platform),
    loadExistingGrant: grantFor(platform),
    extraTokenClaims: platformClaims(platform),
    routes: {
      authorization: '/authorize',
      token: '/token',
      userinfo: '/userinfo',
      jwks: '/jwks',
      end_session: '/session/end',
      revocation: '/token/revoke',
    },
    interactions: { ...policy.interactions, url: (_, { uid }) => `${base}/interaction/${uid}` },
    extraParams: ['invitation'],
    renderError: pages.error,
    formats: { customizers: { jwt: tenantIssuer } },
    features: {
      ...policy.features,
      resourceIndicators: platformTokens(platform),
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => client.clientId === token.clientId },
      rpInitiatedLogout: { enabled: true, logoutSource: pages.signOut, postLogoutSuccessSource: pages.signedOut },
    },
    // The only requests that the library makes tell clients that somebody signed out: as a job, they survive us.
    fetch: async (url, options) => {
      const input = { url: String(url), form: String(options?.body) }
      await platform.transaction(serviceName, 'icosa', (_, jobs) => jobs.enqueue(deliverSignOut, input))
      return new Response(null, { status: 200 })
    },
  }
}
