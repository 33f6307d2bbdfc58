import { revoke } from '@icosa/tokens'
import { Provider } from 'oidc-provider'
import { extendClients } from '../clients/adapter.ts'
import { browserStateOf, sessionState } from '../sessions/browser-state.ts'
import { configurationOf, type ProviderParts } from './configuration.ts'
import { outcome } from './exchange/outcome.ts'
import { machineTokens } from './machine-tokens.ts'
import { allowTokenAlone, refuseOtherTypes } from './policy.ts'

/** The library, fitted to this service. It keeps nothing: any number of nodes may have one each. */
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
    out.iss = issuer // RFC 9207; the library leaves it out where an ID token says it, too
    out.session_state = sessionState(client.clientId, params.redirect_uri, state)
  })
  // Tokens that nodes verify by themselves end with the session, too.
  provider.on('session.destroyed', ({ uid }) => {
    revoke(database, uid).catch((error) => log.error({ err: error }, 'revoking a session'))
  })
  provider.on('server_error', (_, error) => log.error({ err: error }, 'identity protocol'))
  return provider
}
