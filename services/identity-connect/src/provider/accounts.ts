import { credentialById, type Platform } from '@icosa/kernel'
import { platformAudience } from '@icosa/tokens'
import type { ClientMetadata, Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { refuseWithoutScope } from '../approvals/approvals.ts'
import { accountClientId, locationClaims } from '../names.ts'
import { claimsOf } from '../people/claims.ts'
import * as people from '../people/store.ts'
import { isActiveInExchange } from './artifacts/code-exchange.ts'

/** The account page signs users in like any client, but needs only a session, and no consent. */
export const accountClient = (issuer: string): ClientMetadata => ({
  client_id: accountClientId,
  client_name: 'Your account',
  redirect_uris: [`${issuer}/account/signed-in`],
  post_logout_redirect_uris: [`${issuer}/signed-out`],
  response_types: ['none'],
  grant_types: [],
  token_endpoint_auth_method: 'none',
})

/** Finds the user of a session or token; undefined if disabled or deleted. */
export function accountFor({ database }: Platform): NonNullable<Configuration['findAccount']> {
  return async (ctx, id) => {
    const prefetched = isActiveInExchange(id)
    const row = prefetched === undefined ? await people.find(database, id) : undefined
    if (!(prefetched ?? (row && !row.disabledAt))) return undefined
    return {
      accountId: id,
      async claims(_use, _scope, requested) {
        // An ID token of the token endpoint contains only claims requested by name.
        if (ctx.oidc.route === 'token' && Object.keys(requested ?? {}).length === 0) return { sub: id }
        const person = row ?? (await people.find(database, id))
        const claims = person ? claimsOf(person) : {}
        const location = claims.address && { address: claims.address }
        return { sub: id, ...claims, [locationClaims.neutral]: location, [locationClaims.original]: location }
      },
    }
  }
}

type Token = Parameters<NonNullable<Configuration['extraTokenClaims']>>[1]

/** Adds tenant and permissions to platform tokens. */
export function platformClaims({ database, clock }: Platform): NonNullable<Configuration['extraTokenClaims']> {
  return async (_: KoaContextWithOIDC, token: Token) => {
    if (token.aud !== platformAudience) return undefined
    if (token.kind === 'ClientCredentials') {
      const credential = await credentialById(database, clock, token.clientId ?? '')
      return credential && { tenant: credential.tenant, permissions: credential.permissions }
    }
    refuseWithoutScope(token.scope)
    const person = await people.find(database, token.accountId)
    if (!person) return undefined
    const { tenant, permissions } = person
    return { tenant, permissions, grant_id: token.grantId, sid: token.sessionUid }
  }
}
