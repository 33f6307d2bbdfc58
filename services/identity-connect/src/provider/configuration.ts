import type { Platform } from '@icosa/kernel'
import type { JWK } from 'jose'
import { type Client, type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { approvalCheck, platformTokens } from '../approvals/approvals.ts'
import { clientAdapter } from '../clients/adapter.ts'
import { isLoopback } from '../clients/metadata.ts'
import { testHost } from '../clients/test-mode.ts'
import { accountClientId, serviceName, shortCookies } from '../names.ts'
import { deliverSignOut } from '../sessions/jobs.ts'
import type { IdentitySettings } from '../settings.ts'
import { accountClient, accountFor, platformClaims } from './accounts.ts'
import { artifactAdapter } from './artifacts/adapter.ts'
import { libraryPages } from './exchange/pages.ts'
import { ownClaims } from './exchange/tenant-issuer.ts'
import { grantFor } from './grants.ts'
import { checkDisplay, protocolPolicy } from './policy.ts'

export interface ProviderParts {
  readonly platform: Platform
  readonly settings: IdentitySettings
  /** `https://api.example.com/identity-connect` */
  readonly issuer: string
  readonly keys: readonly JWK[]
}

/** A client may introspect and revoke its own tokens. */
const isOwn = async (_: unknown, client: Client, token: { readonly clientId?: string | undefined }) =>
  client.clientId === token.clientId

/** The library's configuration for one issuer. */
export function configurationOf({ platform, settings, issuer, keys }: ProviderParts): Configuration {
  const { database, clock, cellVault } = platform
  const policy = protocolPolicy([approvalCheck(platform), testModeCheck()])
  const base = new URL(issuer).pathname
  const [interaction, resume] = shortCookies
  // Frames in other sites may check the session. Browsers send cookies there only over TLS.
  const cookie = { httpOnly: true, sameSite: issuer.startsWith('https:') ? ('none' as const) : ('lax' as const) }
  const pages = libraryPages(settings, base)

  return {
    ...policy,
    adapter: (model: string) =>
      model === 'Client' ? clientAdapter(platform) : artifactAdapter(model, database, clock),
    clients: [accountClient(issuer)],
    jwks: { keys: [...keys] } as NonNullable<Configuration['jwks']>,
    cookies: {
      keys: [cellVault.derive('identity cookies').toString('base64url')],
      names: { session: 'icosa_session', interaction, resume },
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
      introspection: '/token/introspect',
    },
    interactions: { ...policy.interactions, url: (_, { uid }) => `${base}/interaction/${uid}` },
    // The library runs custom checks only on extra parameters, so one of ours hosts the check of the whole request.
    extraParams: { invitation: requireSpecified, display: checkDisplay },
    renderError: pages.error,
    formats: { customizers: { jwt: ownClaims } },
    features: {
      ...policy.features,
      resourceIndicators: platformTokens(platform),
      revocation: { enabled: true, allowedPolicy: isOwn },
      // Its types allow introspection only with other token formats; the library itself does not.
      ...({ introspection: { enabled: true, allowedPolicy: isOwn } } as object),
      rpInitiatedLogout: { enabled: true, logoutSource: pages.signOut, postLogoutSuccessSource: pages.signedOut },
    },
    // The library's only requests notify clients of a sign-out: as jobs, they survive a crash.
    fetch: async (url, options) => {
      const input = { url: String(url), form: String(options?.body) }
      await platform.transaction(serviceName, 'icosa', (_, jobs) => jobs.enqueue(deliverSignOut, input))
      return new Response(null, { status: 200 })
    },
  }
}

/**
 * Requires what the specification demands and the library does not: a `state`, and a scope with `openid`. PKCE, our addition,
 * protects like a state, so that `state` is optional with it.
 */
function requireSpecified(ctx: KoaContextWithOIDC, _: unknown, client: Client): void {
  if (client.clientId === accountClientId) return
  const { state, code_challenge: challenge, scope } = ctx.oidc.params ?? {}
  if (
    !String(scope ?? '')
      .split(' ')
      .includes('openid')
  )
    throw new errors.InvalidScope('scope is required and must include openid', 'openid')
  if (state === undefined && challenge === undefined)
    throw new errors.InvalidRequest('state is required, unless code_challenge is sent')
}

/**
 * Anyone could craft a link that redirects users to an unregistered URI, so consent is requested every time, on a page that
 * shows the host. Loopback addresses are exempt.
 */
function testModeCheck() {
  const { Check } = interactionPolicy
  return new Check('test_mode', 'the client is in test mode', 'consent_required', (ctx) => {
    const { client, params, result } = ctx.oidc
    const address = params?.redirect_uri
    if (!client || result?.consent || testHost(client, address) === undefined) return Check.NO_NEED_TO_PROMPT
    return isLoopback(String(address)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
  })
}
