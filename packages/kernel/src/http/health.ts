import type { FastifyInstance } from 'fastify'
import type { Platform } from '../platform.ts'

/** Alive, ready, and the figures. Ready turns false first when a node shuts down, so that a balancer looks elsewhere. */
export function addHealth(app: FastifyInstance, platform: Platform, isDraining: () => boolean): void {
  const { database, metrics, clockProblem } = platform
  app.get('/healthz', async () => ({ status: 'alive' }))

  app.get('/readyz', async (_, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining' })
    const wrongClock = clockProblem()
    if (wrongClock) return reply.code(503).send({ status: wrongClock })
    return (await database.isReachable()) ? { status: 'ready' } : reply.code(503).send({ status: 'no database' })
  })

  app.get('/metrics', async (_, reply) => reply.type('text/plain; version=0.0.4').send(metrics.text()))
}
