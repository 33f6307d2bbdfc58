import { platformAudience, revoke } from '@icosa/tokens'
import { type KoaContextWithOIDC, Provider } from 'oidc-provider'
import { extendClients } from '../clients/adapter.ts'
import { browserStateOf, sessionState } from '../sessions/browser-state.ts'
import { configurationOf, type ProviderParts } from './configuration.ts'
import { outcome } from './exchange/outcome.ts'
import { platformResource } from './platform-resource.ts'
import { allowTokenAlone, refuseOtherTypes } from './policy.ts'

/** Configures the library for this service. It is stateless, so every node has its own instance. */
export function createProvider(parts: ProviderParts): Provider {
  const { platform, issuer } = parts
  const { database, log } = platform
  const provider = new Provider(issuer, configurationOf(parts))
  allowTokenAlone(provider)
  refuseOtherTypes(provider)
  extendClients(provider, platform)
  provider.registerGrantType('client_credentials', machineTokens, ['scope', 'resource'], ['resource'])
  provider.use(outcome(parts))

  provider.on('authorization.success', (ctx, out) => {
    const { session, client, params } = ctx.oidc
    if (!out || !session?.accountId || !client || typeof params?.redirect_uri !== 'string') return
    const state = browserStateOf(session.uid, session.accountId)
    out.iss = issuer // RFC 9207; the library omits it together with an ID token
    out.session_state = sessionState(client.clientId, params.redirect_uri, state)
  })
  // Platform tokens, which nodes verify locally, end with the session.
  provider.on('session.destroyed', ({ uid }) => {
    revoke(database, uid).catch((error) => log.error({ err: error }, 'revoking a session'))
  })
  provider.on('server_error', (_, error) => log.error({ err: error }, 'identity protocol'))
  return provider
}

/**
 * The client credentials grant: exchanges a platform key for a one-hour token. The requested scope
 * (`https://management.example/.default`) is ignored, since a key has one set of permissions.
 */
async function machineTokens(ctx: KoaContextWithOIDC): Promise<void> {
  const { client, provider } = ctx.oidc
  if (!client) throw new Error('The library authenticates the client first.')
  const token = new provider.ClientCredentials({ client, scope: undefined } as never)
  token.resourceServer = new provider.ResourceServer(platformAudience, platformResource)
  const access_token = await token.save()
  const { accessTokenTTL: expires_in } = platformResource
  // Some clients require `ext_expires_in`, the lifetime of a token during an outage.
  ctx.body = { access_token, token_type: 'Bearer', expires_in, ext_expires_in: expires_in }
}
