import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startDevPostgres } from '../apps/server/src/dev/postgres.ts'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/**
 * Compiles the platform once for all processes that tests start: loading it costs 3 s of CPU, and 1.4 s when compiled. A
 * process that is killed saves nothing, so that a separate one fills the cache.
 */
async function fillCompileCache(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = pathOf('../node_modules/.cache/compiled')
  if (existsSync(process.env.NODE_COMPILE_CACHE)) return
  const load = `import(${JSON.stringify(pathOf('../apps/server/src/services.ts'))}).then(({ allServices }) => allServices())`
  await promisify(execFile)(process.execPath, ['-e', load])
}

/** Tests use the PostgreSQL in DATABASE_URL, or start one with its data in the checkout. */
export default async function setup(): Promise<() => Promise<void>> {
  await fillCompileCache()
  if (process.env.DATABASE_URL) return async () => {}
  const directory = pathOf('../.icosa/test')
  const postgres = await startDevPostgres({ directory, onProgress: (line) => console.error(line) })
  process.env.DATABASE_URL = postgres.url
  return () => postgres.stop()
}
