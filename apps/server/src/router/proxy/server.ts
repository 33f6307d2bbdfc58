import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type ExchangeOptions, exchange, upgrade } from './exchange.ts'
import { hasBody } from './headers.ts'
import { refuse } from './refusal.ts'

const limits = {
  headerBytes: 64 * 1024,
  headersMs: 15_000,
  keepAliveMs: 72_000,
  connections: 20_000,
  /** Grace period for running requests after the drain time. */
  closeMs: 5_000,
}

/** Health of the router. `/healthz` and `/readyz` are those of the home cell. */
const healthPath = /^\/_icosa\/router\/(?:healthz|readyz)$/

export interface RouterOptions extends ExchangeOptions {
  readonly host: string
  readonly port: number
  readonly drainMs: number
}

export interface Router {
  readonly url: string
  /** Turns `readyz` to 503, and closes once running requests have ended. */
  close(): Promise<void>
}

export async function startRouter(options: RouterOptions): Promise<Router> {
  const { host, port, drainMs } = options
  let isDraining = false
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', headers } = request
    // After a refused upgrade, Node's parser reads no further request from the connection.
    if (isDraining || headers.upgrade !== undefined) response.shouldKeepAlive = false
    if (healthPath.test(url)) return answerHealth(response, isDraining && url.endsWith('/readyz') ? 503 : 200)
    exchange(options, request, response).catch((error: unknown) => refuse(response, error))
  }
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: 0, // the cell enforces the rate of bodies
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: 2_000,
    shouldUpgradeCallback: mayUpgrade,
  })
  server.maxConnections = limits.connections
  const upgraded = new Set<Socket>()
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.on('upgrade', (request: IncomingMessage, client: Socket, head: Buffer) => {
    upgraded.add(client)
    client.once('close', () => upgraded.delete(client))
    void upgrade(options, request, client, head)
  })
  await listening(server, host, port)
  const address = server.address() as AddressInfo
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    async close() {
      isDraining = true
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const timer = setTimeout(() => {
        server.closeAllConnections()
        for (const socket of upgraded) socket.destroy()
      }, limits.closeMs)
      await closed
      clearTimeout(timer)
      options.forwarder.close()
    },
  }
}

/** HTTP/2 without TLS would leave the router unaware of the requests on the connection (h2c smuggling). */
const mayUpgrade = (request: IncomingMessage) => !hasBody(request) && !/\bh2c?\b/i.test(request.headers.upgrade ?? '')

function answerHealth(response: ServerResponse, status: 200 | 503): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ status: status === 200 ? 'ok' : 'draining' }))
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
