import type { Platform } from '@icosa/kernel'
import { platformAudience } from '@icosa/tokens'
import type { Configuration, Grant } from 'oidc-provider'
import * as consents from '../consents/store.ts'
import { accountClientId } from '../names.ts'
import { platformScope } from './platform-scope.ts'

/** Consented scopes and individual claims. */
export interface Allowed {
  readonly scopes: readonly string[]
  readonly claims: readonly string[]
}

/**
 * Every authorization gets its own grant, created from the stored consent, so that a replayed code revokes only what that code
 * granted.
 */
export function grantFor({ database }: Platform): NonNullable<Configuration['loadExistingGrant']> {
  return async (ctx) => {
    const { client, account, params, provider, result } = ctx.oidc
    if (!client || !account) return undefined
    const newGrantId = result?.consent?.grantId
    if (newGrantId) return provider.Grant.find(newGrantId)
    const { accountId } = account
    const grant = new provider.Grant({ clientId: client.clientId, accountId })
    const allowed: Allowed | undefined =
      client.clientId === accountClientId
        ? { scopes: String(params?.scope ?? '').split(' '), claims: [] }
        : await consents.find(database, accountId, client.clientId)
    if (!allowed) return undefined
    allow(grant, allowed)
    await grant.save()
    return grant
  }
}

export function allow(grant: Grant, { scopes, claims }: Allowed): void {
  grant.addOIDCScope(scopes.filter((scope) => scope !== platformScope).join(' '))
  if (claims.length > 0) grant.addOIDCClaims([...claims])
  if (scopes.includes(platformScope)) grant.addResourceScope(platformAudience, platformScope)
}
