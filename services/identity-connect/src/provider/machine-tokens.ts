import { platformAudience } from '@icosa/tokens'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { platformResource } from './platform-resource.ts'

/**
 * The client credentials grant: a key of the platform becomes a token that lasts an hour. Clients name what they want
 * in many ways (`https://management.example/.default`); a key has one set of permissions, so all of them mean those.
 */
export async function machineTokens(ctx: KoaContextWithOIDC): Promise<void> {
  const { client, provider } = ctx.oidc
  if (!client) throw new Error('The library authenticates the client first.')
  const token = new provider.ClientCredentials({ client, scope: undefined } as never)
  token.resourceServer = new provider.ResourceServer(platformAudience, platformResource)
  const access_token = await token.save()
  const { accessTokenTTL: expires_in } = platformResource
  // Some clients insist on the second lifetime, which is how long a token may be used in an outage.
  ctx.body = { access_token, token_type: 'Bearer', expires_in, ext_expires_in: expires_in }
}
