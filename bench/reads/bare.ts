/** The same rows with only Fastify and a prepared statement. */
import { fastify } from 'fastify'
import pg from 'pg'
import { subjects } from './subjects.ts'

const [, , databaseUrl] = process.argv
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const app = fastify({ logger: false })
for (const { name, bare } of subjects)
  app.get(`/${name}/:key`, async (request, reply) => {
    const { key } = request.params as { key: string }
    const { rows } = await pool.query({ name, text: bare, values: ['bench', key] })
    return rows.length === 0 ? reply.code(404).send({ error: 'not found' }) : rows[0]
  })
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
