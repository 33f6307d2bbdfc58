import { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { accountClientId } from '../names.ts'

/**
 * Requires what the specification demands and the library does not: a `state`, and a scope with `openid`. PKCE, our addition,
 * protects like a state, so that `state` is optional with it.
 */
export function requireSpecified(ctx: KoaContextWithOIDC, _: unknown, client: Client): void {
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
