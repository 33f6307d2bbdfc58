import type { Platform } from '@icosa/kernel'
import { platformAudience } from '@icosa/tokens'
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { platformResource } from '../provider/platform-resource.ts'
import { platformScope } from '../provider/platform-scope.ts'
import { isApproved } from './store.ts'

type Resources = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>

const scopeNeeded = 'a token of the platform needs the scope platform'
const asksForPlatform = ({ oidc }: KoaContextWithOIDC) => oidc.requestParamScopes.has(platformScope)

/** A token of the platform can do all that its person may: only a client that the person's tenant approved gets one. */
async function refuseUnapproved({ database }: Platform, clientId: string, person: string | undefined): Promise<void> {
  if (await isApproved(database, clientId, person)) return
  const whose = person === undefined ? 'no tenant approved' : 'the tenant of this person has not approved'
  throw new errors.InvalidScope(`${whose} this client for the platform: ask its operator`, platformScope)
}

/** The platform as what tokens may be for. Asked when an authorization begins, and again whenever a token is issued. */
export const platformTokens = (platform: Platform): Resources => ({
  enabled: true,
  // The scope alone says it, too.
  defaultResource: async (ctx, _client, oneOf) => oneOf ?? (asksForPlatform(ctx) ? platformAudience : undefined),
  useGrantedResource: async () => true,
  async getResourceServerInfo(ctx, resource, client) {
    if (resource !== platformAudience) throw new errors.InvalidTarget()
    if (ctx.oidc.route !== 'token' && !asksForPlatform(ctx)) throw new errors.InvalidScope(scopeNeeded, platformScope)
    await refuseUnapproved(platform, client.clientId, ctx.oidc.account?.accountId)
    return platformResource
  },
})

/** Whatever a request was made of: no scope, no token. */
export function refuseWithoutScope(scope: string | undefined): void {
  if (!scope?.split(' ').includes(platformScope)) throw new errors.InvalidScope(scopeNeeded, platformScope)
}

/** The same once it is known who signs in, before they are asked for anything. */
export function approvalCheck(platform: Platform) {
  const { Check } = interactionPolicy
  return new Check('not_approved', 'the client is not approved for the platform', 'invalid_scope', async (ctx) => {
    const { client, account, resourceServers } = ctx.oidc
    if (!client || !account || !(platformAudience in (resourceServers ?? {}))) return Check.NO_NEED_TO_PROMPT
    await refuseUnapproved(platform, client.clientId, account.accountId)
    return Check.NO_NEED_TO_PROMPT
  })
}
