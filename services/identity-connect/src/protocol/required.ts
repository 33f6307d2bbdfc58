import { type Client, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { accountClientId } from '../names.ts'

/**
 * What the specification demands of a request and the library does not: a `state`, and a scope with `openid`. PKCE, which is
 * ours, protects from what a state protects from, so whoever uses it may leave the state out.
 */
export function requireSpecified(ctx: KoaContextWithOIDC, _: unknown, client: Client): void {
  if (client.clientId === accountClientId) return
  const { state, code_challenge: challenge, scope } = ctx.oidc.params ?? {}
  if (
    !String(scope ?? '')
      .split(' ')
      .includes('openid')
  )
    throw new errors.InvalidScope('scope is required and must have openid in it', 'openid')
  if (state === undefined && challenge === undefined)
    throw new errors.InvalidRequest('state is required, unless code_challenge is sent')
}
