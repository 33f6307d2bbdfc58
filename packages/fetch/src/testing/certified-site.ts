import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Certificates } from './certificates.ts'

export interface CertifiedSite extends AsyncDisposable {
  readonly origin: string
  /** Common name of every request's client certificate; undefined without one. */
  readonly clients: (string | undefined)[]
}

/** An https server that requests a client certificate. `/?to=url` redirects there. */
export async function certifiedSite(
  address: string,
  { authority, server: identity }: Certificates,
  { isRequired }: { readonly isRequired: boolean },
): Promise<CertifiedSite> {
  const clients: (string | undefined)[] = []
  const tls = { ...identity, ca: authority, requestCert: true, rejectUnauthorized: isRequired }
  const server = createServer(tls, (request, response) => {
    const to = new URL(request.url ?? '', 'https://site.test').searchParams.get('to')
    const { subject } = (request.socket as TLSSocket).getPeerCertificate() // an https server has no other sockets
    clients.push(subject === undefined ? undefined : String(subject.CN))
    if (to !== null) return void response.writeHead(307, { location: to }).end()
    response.end('welcome')
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    origin: `https://${address}:${(server.address() as AddressInfo).port}`,
    clients,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
