import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Replayed } from './replayed.ts'

/** The tenant in whose name a request came to a tenant's own token endpoint. */
export const tenantOf = (ctx: KoaContextWithOIDC) => (ctx.req as unknown as Replayed).tenant

/** Where a tenant's machine clients look for its discovery document. */
export const tenantPath = (tenant: string) => `/${encodeURIComponent(tenant)}/v2.0`

type Customizer = NonNullable<NonNullable<NonNullable<Configuration['formats']>['customizers']>['jwt']>

/** A token of a tenant's own endpoint names that tenant's issuer, as its discovery document does. */
export const tenantIssuer: Customizer = (ctx, _token, jwt) => {
  const tenant = tenantOf(ctx)
  if (tenant !== undefined) jwt.payload.iss = new URL(tenantPath(tenant), ctx.oidc.issuer).href
}
