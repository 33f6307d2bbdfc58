import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { BlobState, OpenedBlobs } from '../blobs.ts'
import type { Platform } from '../platform.ts'
import type { Metrics } from '../telemetry/telemetry.ts'

/** Missing prerequisites on this node, such as a program, by service; empty if none is missing. */
export type Lacking = Readonly<Record<string, readonly string[]>>

export interface Health {
  readonly isDraining: () => boolean
  readonly lacking: (() => Lacking) | undefined
  readonly blobs: OpenedBlobs['state'] | undefined
}

/**
 * Liveness and readiness. Only prerequisites of every request decide about readiness: a node that lacks a program still
 * serves the other services, and one with a full blob store still reads, so both are only reported. Callers are
 * anonymous: no paths, addresses or messages.
 */
export function addHealth(app: FastifyInstance, { database, clockProblem }: Platform, health: Health): void {
  const { isDraining, lacking = (): Lacking => ({}), blobs = (): BlobState => 'ready' } = health
  app.get('/healthz', async () => ({ status: 'alive' }))

  app.get('/readyz', async (_, reply) => {
    const problem = isDraining()
      ? 'draining'
      : (clockProblem() ?? ((await database.isReachable()) ? undefined : 'no database'))
    const status = problem ?? 'ready'
    const ready = problem === undefined
    const services = Object.entries(lacking()).map(([name, lacks]) => [name, { ready: lacks.length === 0, lacks }])
    const body = { ready, status, blobs: blobs(), services: Object.fromEntries(services) }
    return reply.code(ready ? 200 : 503).send(body)
  })
}

/** Listens on its own port: the metrics contain tenant names, which API callers must not see. */
export async function serveMetrics(metrics: Metrics, { host, port }: { readonly host: string; readonly port: number }) {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, ({ method, url }, response) => {
    if (method !== 'GET' || url?.split('?', 1)[0] !== '/metrics') return response.writeHead(404).end()
    return response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(metrics.text())
  })
  server.maxConnections = 20
  server.listen(port, host)
  await once(server, 'listening')
  const { address, family, port: bound } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
