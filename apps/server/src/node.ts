import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { blobStore } from '@icosa/blobs'
import { guardedFetch } from '@icosa/fetch'
import {
  agingTables,
  createLog,
  Failure,
  type NodeOptions,
  type RunningNode,
  type Service,
  startNode,
} from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { inspect } from '@icosa/sql-databases'
import { jwtTokens, masterKeyVault } from '@icosa/tokens'
import { remark, UsageError } from './command.ts'
import type { Config } from './config.ts'
import { type FoundDatabase, findDatabase } from './database.ts'
import { services, servicesWith, sqlSettingsOf, unbuilt } from './services.ts'
import { allSealed } from './vault.ts'

/**
 * `braille-translation,S5`: by name or letter; all if nothing is said. A word that is none is refused at once; the services
 * themselves are made when the address of the database is known.
 */
export function chosenServices(
  wanted: string | undefined,
  config: Config,
): (databaseUrl: string) => readonly Service[] {
  const names = wanted?.split(',').map((word) => {
    const found = services.find(({ name, letter }) => name === word.trim() || letter === word.trim())
    if (!found) throw new UsageError(`There is no service '${word}': \`icosa operations\` lists them.`)
    return found.name
  })
  return (databaseUrl) => {
    const all = servicesWith({ ...config, baseUrl: baseUrlOf(config), sqlUrl: sqlUrlOf(config, databaseUrl) })
    return names ? all.filter(({ name }) => names.includes(name)) : all
  }
}

const sqlUrlOf = ({ sqlUrl }: Config, databaseUrl: string) => sqlUrl ?? databaseUrl

/**
 * Refuses to make databases of tenants beside the platform's own rows, unless the operator allows it, and says what is
 * left to do on the SQL host. One that is away does not keep the node from its other services: creations ask again.
 */
async function checkSqlHost(config: Config, databaseUrl: string, chosen: readonly Service[]): Promise<void> {
  if (!chosen.some(({ name }) => name === 'sql-databases')) return
  if (config.sql.sharedHost && !config.databaseUrl && !config.sqlUrl) return // the development database: all is allowed
  const settings = sqlSettingsOf({ ...config, sqlUrl: sqlUrlOf(config, databaseUrl) })
  const remarks = await inspect(settings, databaseUrl).catch((error: Error) => {
    if (error instanceof Failure && error.code !== 'SharedSqlHost') return [error.message]
    throw error
  })
  for (const line of remarks) remark(`sql-databases: ${line}`)
}

/** The public address, or the one on this machine. */
export const baseUrlOf = ({ publicUrls: [first], host, port }: Config) => first ?? `http://${host}:${port}`

/**
 * Links in mails, the issuer of tokens and the names of resources hold an address. Taken from a request, it would be the
 * sender's choice: a stranger could have a password's reset link sent that leads to the stranger.
 */
export function requirePublicUrl({ publicUrls }: Pick<Config, 'publicUrls'>): void {
  if (publicUrls.length === 0)
    throw new UsageError(
      'Set ICOSA_PUBLIC_URL to the address under which callers reach the platform, such as https://api.example.com; several are separated by commas.',
    )
}

/** A clock that can be moved comes with the operations that move it. */
export const withPlatform = (chosen: readonly Service[], clock: Config['clock']) =>
  clock === 'virtual' ? [...chosen, platform] : chosen

export type Roles = Pick<NodeOptions, 'api' | 'worker'>

export function nodeOptions(
  config: Config,
  databaseUrl: string,
  chosen: readonly Service[],
  roles: Roles,
): NodeOptions {
  if (config.masterKeys.length === 0)
    throw new UsageError('Set ICOSA_MASTER_KEY to a key of 32 bytes in base64: `openssl rand -base64 32` makes one.')
  if (!config.blobs) throw new UsageError('Set ICOSA_BLOBS to a folder or to s3://bucket/prefix.')
  const aging = agingTables(services).map(({ name }) => name)
  for (const table of Object.keys(config.keepDays))
    if (!aging.includes(table))
      throw new UsageError(
        `ICOSA_RETENTION names '${table}', whose rows do not go with age: those of ${aging.join(', ')} do.`,
      )
  return {
    services: withPlatform(chosen, config.clock),
    databaseUrl,
    maxConnections: config.maxConnections,
    vault: masterKeyVault({ masterKeys: config.masterKeys, sealed: allSealed }),
    log: createLog({ level: config.logLevel ?? 'info' }),
    clock: config.clock,
    blobs: blobStore(config.blobs),
    tokens: jwtTokens({ trustedIssuers: config.trustedIssuers }),
    fetch: () => guardedFetch({ allow: config.fetchAllow }),
    subscriptions: config.subscriptions ?? 'bind',
    publicUrls: config.publicUrls,
    trustedProxies: config.trustedProxies,
    rateLimit: config.rateLimit,
    drainMs: config.drainMs,
    keepDays: config.keepDays,
    unbuilt,
    ...roles,
  }
}

/** Runs a node on the database that the settings name until the process is asked to end, then closes both. */
export async function runNode(
  config: Config,
  options: (url: string) => NodeOptions | Promise<NodeOptions>,
  onReady: (node: RunningNode, database: FoundDatabase) => void,
): Promise<void> {
  const database = await findDatabase(config)
  try {
    const chosen = await options(database.url)
    await checkSqlHost(config, database.url, chosen.services)
    const node = await startNode(chosen)
    onReady(node, database)
    await askedToStop()
    await node.stop()
  } finally {
    await database.close()
    setTimeout(() => process.exit(), 500).unref() // whatever still holds the process, such as a job that heeds no signal
  }
}

/** Resolves when the process is asked to end. A second signal ends it at once. */
async function askedToStop(): Promise<void> {
  setTimeout(flushCompileCache, 1_000).unref() // now, since a process that is killed writes none
  const { signal: received } = await Promise.race(
    (['SIGINT', 'SIGTERM'] as const).map(async (signal) => ({ signal, event: await once(process, signal) })),
  )
  remark(`${received}: finishing what runs. Once more ends at once.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
}
