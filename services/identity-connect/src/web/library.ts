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
  const issuerOf = async (request: FastifyRequest, reply: FastifyReply) =>
    (await host.runtime.providers.at(host.exchangeOf(request, reply.raw).url)).provider.issuer
  for (const version of ['/v2.0', ''])
    app.get<{ Params: { tenant: string } }>(
      `/:tenant${version}/.well-known/openid-configuration`,
      async (request, reply) => discovery(await issuerOf(request, reply), request.params.tenant),
    )
  app.get('/metadata/endpoints', async (request, reply) => cloud(platformOf(await issuerOf(request, reply))))
}

/** Describes the platform as a cloud to tools for the resource manager, in the fields of older and newer versions. */
function cloud(platform: string) {
  const { host } = new URL(platform)
  return {
    name: 'Icosa',
    resourceManager: platform,
    authentication: { loginEndpoint: platform, audiences: [platform], tenant: 'common', identityProvider: 'AAD' },
    portal: `${platform}/console`,
    portalEndpoint: `${platform}/console`,
    // Required by tools, but not served.
    galleryEndpoint: platform,
    graphEndpoint: platform,
    graph: platform,
    microsoftGraphResourceId: platform,
    suffixes: { keyVaultDns: host, storage: host },
  }
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
