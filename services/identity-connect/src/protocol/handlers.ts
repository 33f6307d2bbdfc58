import { Engine, type Exchange, implement } from '@icosa/kernel'
import * as clients from '../clients/store.ts'
import { serviceName } from '../names.ts'
import { asQuery, asRequest, ReplayedRequest, type RequestTarget } from '../provider/exchange/replayed-request.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { protocol as contract } from './contract.ts'

/** Passes a request to the library, at the library's own path. */
export async function serve(exchange: Exchange<ServiceRuntime>, target: RequestTarget): Promise<void> {
  const { handle, mount } = await exchange.runtime.providers.at(exchange.url)
  await handle(asRequest(new ReplayedRequest(exchange, { ...target, mount })), exchange.response)
}

const library = new Engine<ServiceRuntime>((exchange) => serve(exchange, { path: libraryPath(exchange.url) }))

export const protocol = implement<typeof contract, ServiceRuntime>(contract, {
  authorize: new Engine(async (exchange) => {
    await serve(exchange, await withDefaultScope(exchange, { path: libraryPath(exchange.url) }))
  }),
  authorizeByPost: new Engine(async (exchange) => {
    await serve(exchange, await withDefaultScope(exchange, asQuery(exchange, '/authorize')))
  }),
  token: new Engine(async (exchange) => {
    if (isSupportedGrant(exchange.body)) return serve(exchange, { path: '/token' })
    refuseGrant(exchange)
  }),
  introspectToken: library,
  revokeToken: library,
  userInfo: library,
  userInfoByPost: library,
  discovery: library,
  jwks: library,
})

/** The path without the service name, which the library does not know. */
export function libraryPath({ pathname, search }: URL): string {
  return pathname.slice(pathname.indexOf(`/${serviceName}`) + serviceName.length + 1) + search
}

/** Adds the client's registered default scopes. */
async function withDefaultScope({ platform }: Exchange, target: RequestTarget): Promise<RequestTarget> {
  const query = new URLSearchParams(target.path.split('?')[1])
  const clientId = query.get('client_id')
  if (clientId === null || query.has('scope')) return target
  const row = await clients.findById(platform.database, clientId)
  const scopes = row?.metadata.default_scopes ?? []
  return scopes.length === 0
    ? target
    : { ...target, path: `${target.path}&scope=${encodeURIComponent(scopes.join(' '))}` }
}

const isSupportedGrant = (body: Uint8Array | undefined) => {
  const grant = new URLSearchParams(Buffer.from(body ?? []).toString()).get('grant_type')
  return grant === null || grant === 'authorization_code' || grant === 'refresh_token'
}

/** Machine clients use the token endpoint of their tenant. */
function refuseGrant({ response }: Exchange): void {
  const body = JSON.stringify({
    error: 'unsupported_grant_type',
    error_description:
      'grant_type must be authorization_code or refresh_token; client_credentials are at /{tenant}/oauth2/v2.0/token',
  })
  response.writeHead(400, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(body)
}
