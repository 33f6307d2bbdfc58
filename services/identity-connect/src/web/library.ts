import type { Exchange, RouteHost } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { serviceName } from '../names.ts'
import { libraryPath, serve } from '../protocol/handlers.ts'
import { asQuery, type RequestTarget } from '../provider/exchange/replayed-request.ts'
import { platformOf, tenantIssuerOf } from '../provider/exchange/tenant-issuer.ts'
import type { ServiceRuntime } from '../runtime.ts'

/** Routes of the protocol besides its operations: return from sign-in, sign-out, and preflight requests. */
const paths: readonly (readonly [HTTPMethods[], string])[] = [
  [['GET'], '/authorize/:uid'],
  [['GET'], '/session/end'],
  [['POST'], '/session/end/confirm'],
  [['GET'], '/session/end/success'],
  [['OPTIONS'], '/token/revoke'],
  [['OPTIONS'], '/token/introspect'],
  [['OPTIONS'], '/token'],
  [['OPTIONS'], '/userinfo'],
  [['OPTIONS'], '/jwks'],
  [['OPTIONS'], '/.well-known/openid-configuration'],
  [['GET', 'OPTIONS'], '/.well-known/oauth-authorization-server'],
]

export function libraryRoutes(app: FastifyInstance, host: RouteHost<ServiceRuntime>): void {
  const pass = async (
    request: FastifyRequest,
    reply: FastifyReply,
    targetOf: (exchange: Exchange) => RequestTarget,
  ) => {
    const exchange = host.exchangeOf(request, reply.raw)
    await serve(exchange, targetOf(exchange))
    reply.hijack()
  }
  const sameTarget = ({ url }: Exchange) => ({ path: libraryPath(url) })
  for (const [method, path] of paths)
    app.route({ method, url: `/${serviceName}${path}`, handler: (request, reply) => pass(request, reply, sameTarget) })
  app.post(`/${serviceName}/session/end`, (request, reply) =>
    pass(request, reply, (exchange) => asQuery(exchange, '/session/end')),
  )

  // Machine clients expect a token endpoint per tenant at the root.
  app.post<{ Params: { tenant: string } }>('/:tenant/oauth2/v2.0/token', (request, reply) =>
    pass(request, reply, () => ({ path: '/token', tenant: request.params.tenant })),
  )
  app.get<{ Params: { tenant: string } }>('/:tenant/v2.0/.well-known/openid-configuration', async (request, reply) => {
    const { url } = host.exchangeOf(request, reply.raw)
    const { issuer } = (await host.runtime.providers.at(url)).provider
    return discovery(issuer, request.params.tenant)
  })
}

function discovery(issuer: string, tenant: string) {
  return {
    issuer: tenantIssuerOf(issuer, tenant),
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${platformOf(issuer)}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code', 'id_token', 'code id_token'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
  }
}
