import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  type Provider,
  type ResponseType,
} from 'oidc-provider'
import internals from 'oidc-provider/lib/helpers/weak_cache.js'
import { locationClaims, nameScopes } from '../names.ts'
import { profileClaims } from '../protocol/contract.ts'

const libraryTypes: readonly ResponseType[] = [
  'code',
  'id_token',
  'id_token token',
  'code id_token',
  'code token',
  'code id_token token',
  'none',
]

const names = ['name', 'given_name', 'family_name']

/** The claims of each scope. */
const claims: Record<string, string[]> = {
  openid: ['sub'],
  profile: [...profileClaims, 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  address: ['address'],
  ...Object.fromEntries(nameScopes.map((scope) => [scope, names])),
  ...Object.fromEntries(Object.values(locationClaims).map((scope) => [scope, [scope]])),
}

/**
 * The node-independent part of the configuration: features, lifetimes, requirements. `checks` run once the user is known,
 * before the consent prompt.
 */
export function protocolPolicy(checks: readonly interactionPolicy.Check[] = []): Configuration {
  const policy = interactionPolicy.base()
  for (const check of checks) policy.get('consent')?.checks.add(check, 0)
  // The library prompts for consent to native clients every time; a stored consent is enough.
  policy.get('consent')?.checks.remove('native_client_prompt')
  return {
    claims,
    scopes: ['openid', 'offline_access'],
    // Without `token` alone, which the library rejects here and which is allowed below; `none` is for the account page,
    // which needs only a session.
    responseTypes: [...libraryTypes],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    extraClientMetadata: { properties: ['test_mode', 'tenant'] },
    clientDefaults: { id_token_signed_response_alg: 'RS256', grant_types: ['authorization_code'] },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: (_, client) => client.clientAuthMethod === 'none' },
    rotateRefreshToken: true,
    issueRefreshToken: async (_, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    interactions: { policy },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      ClientCredentials: 3600,
      Grant: 14 * 86_400,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: 14 * 86_400,
      Session: 14 * 86_400,
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      backchannelLogout: { enabled: true },
      claimsParameter: { enabled: true },
      clientCredentials: { enabled: true },
      pushedAuthorizationRequests: { enabled: false },
    },
  }
}

/** `window` is opened by a modal; `touch` and `wap`, from OpenID Connect, look like pages. */
const displays: readonly unknown[] = [undefined, 'page', 'popup', 'modal', 'window', 'touch', 'wap']

export function checkDisplay(_: KoaContextWithOIDC, display: string | undefined): void {
  if (!displays.includes(display)) throw new errors.InvalidRequest('display must be page, popup or modal')
}

/** Rejects unregistered response types as in RFC 6749 (4.1.2.1); the library returns `invalid_request`. */
export function refuseOtherTypes(provider: Provider): void {
  const { prototype } = provider.Client
  const { responseTypeAllowed } = prototype
  prototype.responseTypeAllowed = function (type) {
    if (responseTypeAllowed.call(this, type)) return true
    throw new errors.UnauthorizedClient('requested response_type is not allowed for this client')
  }
}

/**
 * Allows `response_type=token`, which the specification has. The library supports it, but its configuration rejects it, since
 * it is not part of OpenID Connect.
 */
export function allowTokenAlone(provider: Provider): void {
  internals(provider).configuration.responseTypes.push('token')
}
