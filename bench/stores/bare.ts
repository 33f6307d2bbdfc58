/** The same read with Fastify and a prepared statement alone. */
import { fastify } from 'fastify'
import pg from 'pg'

const [, , databaseUrl] = process.argv
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const { id: store } = (await pool.query('select id from configuration_stores.stores')).rows[0]
const text = `select key, label, value, content_type, tags, locked, etag, changed_at from configuration_stores.revisions
  where tenant = $1 and store = $2 and key = $3 and label = '' and replaced_at = 'infinity'`

const app = fastify({ logger: false })
app.get('/kv/:key', async (request, reply) => {
  const { key } = request.params as { key: string }
  const { rows } = await pool.query({ name: 'kv', text, values: ['bench', store, key] })
  if (rows.length === 0) return reply.code(404).send({ error: 'not found' })
  return { ...rows[0], changed_at: rows[0].changed_at.toISOString() }
})
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
