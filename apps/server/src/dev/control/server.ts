import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { FaultRequest, Faults } from '@icosa/faults'
import { UsageError } from '@icosa/module'
import type { Endpoint } from '../endpoints.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'

/** Control endpoint of a running instance, for snapshots and faults, with its bearer token. */
export interface ControlAddress {
  readonly url: string
  readonly token: string
}

export interface Controlled {
  readonly snapshots: () => Snapshots
  readonly faults: Faults
  /** Every API with its credential. */
  readonly endpoints: () => readonly Endpoint[]
}

/**
 * Listens on a separate port, since the node's port is closed while it is stopped. The token can be read only from the
 * data folder, so no web page can use it.
 */
export async function openControl(controlled: Controlled) {
  const token = randomBytes(24).toString('base64url')
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!isSame(request.headers.authorization, `Bearer ${token}`)) return void answer(401, { error: 'Wrong token.' })
    obey(controlled, request).then(
      (body) => answer(200, body ?? null),
      (error: Error) => answer(error instanceof UsageError ? 400 : 500, { error: error.message }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address: ControlAddress = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token }
  return {
    address,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function isSame(sent: string | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(sent ?? ''), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

async function obey({ snapshots, faults, endpoints }: Controlled, request: IncomingMessage): Promise<unknown> {
  const [, thing, name, action] = (request.url ?? '').split('/').map(decodeURIComponent)
  const { method } = request
  switch (`${method} ${thing}${name === undefined ? '' : '/{name}'}${action === undefined ? '' : `/${action}`}`) {
    case 'GET snapshots':
      return snapshots().list()
    case 'PUT snapshots/{name}':
      return snapshots().save(name ?? '')
    case 'POST snapshots/{name}/restore':
      return snapshots().restore(name ?? '')
    case 'POST snapshots/{name}/compare':
      return snapshots().compare(name ?? '', ((await json(request)) as { readonly to: string }).to)
    case 'DELETE snapshots/{name}':
      return snapshots().delete(name ?? '')
    case 'GET endpoints':
      return endpoints()
    case 'GET faults':
      return faults.list()
    case 'POST faults':
      return faults.add((await json(request)) as FaultRequest)
    case 'DELETE faults':
      return faults.clear()
    case 'DELETE faults/{name}':
      return faults.clear(name)
    default:
      throw new UsageError(`There is nothing at ${method} ${request.url}.`)
  }
}
