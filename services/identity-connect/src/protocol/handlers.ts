import { Engine, type Exchange, implement } from '@icosa/kernel'
import * as clients from '../clients/store.ts'
import { serviceName } from '../names.ts'
import { asQuery, asRequest, ReplayedRequest, type RequestTarget } from '../provider/exchange/replayed-request.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { protocol as contract } from './contract.ts'

/** Hands a request to the library, at the library's own path. */
export async function serve(exchange: Exchange<ServiceRuntime>, target: RequestTarget): Promise<void> {
  const { answer, mount } = await exchange.runtime.providers.at(exchange.url)
  await answer(asRequest(new ReplayedRequest(exchange, { ...target, mount })), exchange.response)
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
    if (isGrantOfHere(exchange.body)) return serve(exchange, { path: '/token' })
    refuseGrant(exchange)
  }),
  introspectToken: library,
  revokeToken: library,
  userInfo: library,
  userInfoByPost: library,
  discovery: library,
  jwks: library,
})

/** Without the name of the service, under which the library knows nothing. */
export function libraryPath({ pathname, search }: URL): string {
  return pathname.slice(pathname.indexOf(`/${serviceName}`) + serviceName.length + 1) + search
}

/** A client may have registered what it usually asks for. */
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

const isGrantOfHere = (body: Uint8Array | undefined) => {
  const grant = new URLSearchParams(Buffer.from(body ?? []).toString()).get('grant_type')
  return grant === null || grant === 'authorization_code' || grant === 'refresh_token'
}

/** Machines have token endpoints of their own, by tenant. */
function refuseGrant({ response }: Exchange): void {
  const body = JSON.stringify({
    error: 'unsupported_grant_type',
    error_description:
      'grant_type must be authorization_code or refresh_token; /{tenant}/oauth2/v2.0/token has client_credentials',
  })
  response.writeHead(400, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(body)
}
