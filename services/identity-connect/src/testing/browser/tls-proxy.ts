import { once } from 'node:events'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { certificate, privateKey } from '@icosa/delivery/testing/certificate'

export interface TlsProxy extends AsyncDisposable {
  readonly origin: string
}

/** A TLS-terminating proxy with a self-signed certificate. */
export async function openTlsProxy(node: string): Promise<TlsProxy> {
  const server = createServer({ cert: certificate, key: privateKey }, (incoming, outgoing) => {
    const { method, headers } = incoming
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': headers.host }
    const inner = request(new URL(incoming.url ?? '', node), { method, headers: { ...headers, ...forwarded } })
    inner.on('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(outgoing)
    })
    inner.on('error', () => outgoing.destroy())
    incoming.pipe(inner)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
