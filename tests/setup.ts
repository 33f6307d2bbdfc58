import { fileURLToPath } from 'node:url'
import { startDevPostgres } from '../apps/server/src/dev/postgres.ts'

/** Tests use the PostgreSQL in DATABASE_URL, or start one with its data in the checkout. */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.DATABASE_URL) return async () => {}
  const directory = fileURLToPath(new URL('../.icosa/test', import.meta.url))
  const postgres = await startDevPostgres({ directory, onProgress: (line) => console.error(line) })
  process.env.DATABASE_URL = postgres.url
  return () => postgres.stop()
}
