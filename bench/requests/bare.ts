/** Baseline: Fastify and a prepared statement, without accounts, checks or telemetry. */
import { fastify } from 'fastify'
import pg from 'pg'

const [, , databaseUrl, tenant] = process.argv
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const text = `select id, title, text, published_times as "publishedTimes", created_at as "createdAt"
  from example.notes where tenant = $1 and id = $2`

const app = fastify({ logger: false })
app.get('/example/notes/:noteId', async (request, reply) => {
  const { noteId } = request.params as { noteId: string }
  const { rows } = await pool.query({ name: 'note', text, values: [tenant, noteId] })
  if (rows.length === 0) return reply.code(404).send({ error: 'not found' })
  return { ...rows[0], createdAt: rows[0].createdAt.toISOString() }
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
