import type { Platform } from '@icosa/kernel'
import { platformAudience } from '@icosa/tokens'
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import { platformResource } from '../provider/platform-resource.ts'
import { platformScope } from '../provider/platform-scope.ts'
import { isApproved } from './store.ts'

type Resources = NonNullable<NonNullable<Configuration['features']>['resourceIndicators']>

const scopeRequired = 'a platform token requires the scope platform'
const requestsPlatform = ({ oidc }: KoaContextWithOIDC) => oidc.requestParamScopes.has(platformScope)

/** A platform token has all permissions of its user, so only clients that the user's tenant has approved get one. */
async function refuseUnapproved({ database }: Platform, clientId: string, person: string | undefined): Promise<void> {
  if (await isApproved(database, clientId, person)) return
  const reason = person === undefined ? 'no tenant has approved' : "the user's tenant has not approved"
  throw new errors.InvalidScope(`${reason} this client for the platform: ask its operator`, platformScope)
}

/** The platform as a resource server. Checked at the start of an authorization, and whenever a token is issued. */
export const platformTokens = (platform: Platform): Resources => ({
  enabled: true,
  // The scope implies the resource.
  defaultResource: async (ctx, _client, oneOf) => oneOf ?? (requestsPlatform(ctx) ? platformAudience : undefined),
  useGrantedResource: async () => true,
  async getResourceServerInfo(ctx, resource, client) {
    if (resource !== platformAudience) throw new errors.InvalidTarget()
    if (ctx.oidc.route !== 'token' && !requestsPlatform(ctx))
      throw new errors.InvalidScope(scopeRequired, platformScope)
    await refuseUnapproved(platform, client.clientId, ctx.oidc.account?.accountId)
    return platformResource
  },
})

export function refuseWithoutScope(scope: string | undefined): void {
  if (!scope?.split(' ').includes(platformScope)) throw new errors.InvalidScope(scopeRequired, platformScope)
}

/** Checks the approval once the user is known, before any prompt. */
export function approvalCheck(platform: Platform) {
  const { Check } = interactionPolicy
  return new Check('not_approved', 'the client is not approved for the platform', 'invalid_scope', async (ctx) => {
    const { client, account, resourceServers } = ctx.oidc
    if (!client || !account || !(platformAudience in (resourceServers ?? {}))) return Check.NO_NEED_TO_PROMPT
    await refuseUnapproved(platform, client.clientId, account.accountId)
    return Check.NO_NEED_TO_PROMPT
  })
}
