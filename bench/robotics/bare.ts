/** Fastify alone, which sends bytes from memory, or 304. */
import { readFileSync } from 'node:fs'
import { fastify } from 'fastify'

const [, , file = ''] = process.argv
const bytes = readFileSync(file)
const app = fastify({ logger: false })
app.get('/answer', (request, reply) => {
  reply.header('last-modified', 'Mon, 16 Nov 2026 06:00:00 GMT').header('etag', 'W/"bare"')
  if (request.headers['if-modified-since'] !== undefined) return reply.code(304).send()
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-encoding', 'gzip')
    .header('vary', 'accept-encoding')
    .header('cache-control', 'private, no-cache')
    .send(bytes)
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
