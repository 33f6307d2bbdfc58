import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { serviceName } from '../../names.ts'
import { toSystemTime } from '../artifacts/library-time.ts'
import type { ReplayedRequest } from './replayed-request.ts'

/** The tenant of a request to a tenant's token endpoint. */
export const tenantOf = (ctx: KoaContextWithOIDC) => (ctx.req as unknown as ReplayedRequest).tenant

/** The URL of the platform, without the path of this service. */
export const platformOf = (issuer: string) => issuer.slice(0, -serviceName.length - 1)

/** The issuer for machine clients of a tenant. */
export const tenantIssuerOf = (issuer: string, tenant: string) =>
  `${platformOf(issuer)}/${encodeURIComponent(tenant)}/v2.0`

type Customizer = NonNullable<NonNullable<NonNullable<Configuration['formats']>['customizers']>['jwt']>

/** Sets the time shared by all nodes and, at a tenant's endpoint, the tenant's issuer, as in its discovery document. */
export const ownClaims: Customizer = (ctx, _token, jwt) => {
  Object.assign(jwt.payload, toSystemTime(jwt.payload))
  const tenant = tenantOf(ctx)
  if (tenant !== undefined) jwt.payload.iss = tenantIssuerOf(ctx.oidc.issuer, tenant)
}
