import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { serviceName } from '../../names.ts'
import { toSystemTime } from '../artifacts/library-time.ts'
import type { ReplayedRequest } from './replayed-request.ts'

/** The tenant in whose name a request came to a tenant's own token endpoint. */
export const tenantOf = (ctx: KoaContextWithOIDC) => (ctx.req as unknown as ReplayedRequest).tenant

/** The address of the platform, without that of this service. */
export const platformOf = (issuer: string) => issuer.slice(0, -serviceName.length - 1)

/** Where a tenant's machine clients look for its discovery document. */
export const tenantIssuerOf = (issuer: string, tenant: string) =>
  `${platformOf(issuer)}/${encodeURIComponent(tenant)}/v2.0`

type Customizer = NonNullable<NonNullable<NonNullable<Configuration['formats']>['customizers']>['jwt']>

/** Tokens carry the time of all nodes. One of a tenant's own endpoint names that tenant's issuer, as its discovery document does. */
export const ownClaims: Customizer = (ctx, _token, jwt) => {
  Object.assign(jwt.payload, toSystemTime(jwt.payload))
  const tenant = tenantOf(ctx)
  if (tenant !== undefined) jwt.payload.iss = tenantIssuerOf(ctx.oidc.issuer, tenant)
}
