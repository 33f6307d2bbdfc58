import { platformAudience } from '@icosa/tokens'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { platformResource } from './platform-resource.ts'

/**
 * The client credentials grant: exchanges a platform key for a one-hour token. The requested scope
 * (`https://management.example/.default`) is ignored, since a key has one set of permissions.
 */
export async function machineTokens(ctx: KoaContextWithOIDC): Promise<void> {
  const { client, provider } = ctx.oidc
  if (!client) throw new Error('The library authenticates the client first.')
  const token = new provider.ClientCredentials({ client, scope: undefined } as never)
  token.resourceServer = new provider.ResourceServer(platformAudience, platformResource)
  const access_token = await token.save()
  const { accessTokenTTL: expires_in } = platformResource
  // Some clients require `ext_expires_in`, the lifetime of a token during an outage.
  ctx.body = { access_token, token_type: 'Bearer', expires_in, ext_expires_in: expires_in }
}
