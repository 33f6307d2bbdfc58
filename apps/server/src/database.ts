import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '@icosa/kernel'
import { remark, UsageError } from '@icosa/module'
import type { Config } from './config.ts'
import { type DevPostgresOptions, startDevPostgres } from './dev/postgres.ts'

export interface FoundDatabase {
  readonly url: string
  /** The same database, bypassing a pooler at `url`. */
  readonly directUrl: string
  /** Human-readable. */
  readonly described: string
  close(how?: { readonly discarding?: boolean }): Promise<void>
}

/** Returns the database at DATABASE_URL, or the development one in the data folder, which it starts if necessary. */
export async function findDatabase(
  {
    databaseUrl,
    databaseDirectUrl,
    dataDirectory,
  }: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDirectory'>,
  { onProgress = remark, ...options }: Pick<DevPostgresOptions, 'onLaunched' | 'onProgress' | 'throwaway'> = {},
): Promise<FoundDatabase> {
  if (databaseUrl) {
    const directUrl = databaseDirectUrl ?? databaseUrl
    return { url: databaseUrl, directUrl, described: 'DATABASE_URL', close: async () => {} }
  }
  const postgres = await startDevPostgres({ directory: dataDirectory, onProgress, ...options })
  const { url } = postgres
  return { url, directUrl: url, described: `PostgreSQL in ${dataDirectory}`, close: (how) => postgres.stop(how) }
}

/** Resolves once the database is launched, so that code can be loaded until it is ready. */
export async function launchDatabase(config: Config): Promise<{ readonly ready: Promise<FoundDatabase> }> {
  const launched = Promise.withResolvers<void>()
  const ready = findDatabase(config, { onLaunched: launched.resolve })
  await Promise.race([launched.promise, ready])
  ready.catch(() => {}) // reported where it is awaited
  return { ready }
}

/**
 * Runs a short command against the database and records it in the audit log if it is an operator's action. Never
 * creates a database: after a mistyped folder name it would be an empty one.
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database, url: string) => Promise<T>,
): Promise<T> {
  if (!config.databaseUrl && !existsSync(join(config.dataDirectory, 'postgres')))
    throw new UsageError(
      `There is no data in ${config.dataDirectory}: start \`icosa dev\` first, name its folder with --data, or set DATABASE_URL.`,
    )
  const onError = (error: Error) => remark(`database: ${error.message}`)
  const { ready } = await launchDatabase(config)
  const { openDatabase } = await import('@icosa/kernel')
  const { membershipOf } = await import('./cells/membership.ts')
  const membership = membershipOf(config, onError)
  const location = await ready
  const database = openDatabase({
    url: location.directUrl,
    maxConnections: 3, // as many as a migration needs
    onError,
    reserveName: membership?.reserveName,
  })
  try {
    const run = () => work(database, location.directUrl)
    return await (config.act?.around(database, run) ?? run())
  } finally {
    await database.close()
    await membership?.directory.close()
    await location.close()
  }
}
