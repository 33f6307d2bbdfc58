import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { blobStore } from '@icosa/blobs'
import { guardedFetch } from '@icosa/fetch'
import {
  agingTables,
  createLog,
  type NodeOptions,
  type RunningNode,
  type Service,
  schemaOf,
  startNode,
} from '@icosa/kernel'
import { remark, UsageError } from '@icosa/module'
import { platform } from '@icosa/platform'
import { jwtTokens, masterKeyVault } from '@icosa/tokens'
import { type Config, factsOf } from './config.ts'
import { type FoundDatabase, findDatabase } from './database.ts'
import {
  createServices,
  loadModules,
  refuseWrongSettings,
  serviceNames,
  settingsOf,
  unbuilt,
  unknownSettings,
} from './services.ts'
import { allSealed } from './vault.ts'

/** The services that a node shall have, as soon as it is known where its database is. */
export interface Chosen {
  create(databaseUrl: string): Promise<readonly Service[]>
  /** Throws what keeps the node from starting, and says what the operator should know. */
  inspect(databaseUrl: string): Promise<void>
}

/** Refuses words that name no service, and settings that cannot be used; remarks on variables that nothing reads. */
export async function chooseServices(requested: string | undefined, config: Config): Promise<Chosen> {
  const { env, development, strictVersions } = config
  const modules = await loadModules(requested)
  refuseWrongSettings(modules, env, { development })
  for (const line of await unknownSettings(env, modules)) remark(line)
  return {
    create: (databaseUrl) =>
      createServices(modules, { env, development, strictVersions, facts: factsOf(config, databaseUrl) }),
    async inspect(databaseUrl) {
      for (const { name, module } of modules) {
        const remarks = await module.inspect?.(settingsOf(module, env, { development }), factsOf(config, databaseUrl))
        for (const line of remarks ?? []) remark(`${name}: ${line}`)
      }
    },
  }
}

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
  checkKeepDays(config, chosen)
  return {
    services: withPlatform(chosen, config.clock),
    databaseUrl,
    maxConnections: config.maxConnections,
    vault: masterKeyVault({ masterKeys: config.masterKeys, sealed: allSealed }),
    log: createLog({ level: config.logLevel }),
    clock: config.clock,
    blobs: blobStore(config.blobs),
    tokens: jwtTokens({ trustedIssuers: config.trustedIssuers }),
    fetch: () => guardedFetch({ allow: config.fetchAllow }),
    subscriptions: config.subscriptions,
    publicUrls: config.publicUrls,
    trustedProxies: config.trustedProxies,
    rateLimit: config.rateLimit,
    drainMs: config.drainMs,
    keepDays: config.keepDays,
    unbuilt,
    ...roles,
  }
}

/** Tables of services that are elsewhere are not known here, so they are not looked at. */
function checkKeepDays({ keepDays }: Config, chosen: readonly Service[]): void {
  const aging = agingTables(chosen).map(({ name }) => name)
  const elsewhere = serviceNames.filter((name) => !chosen.some((service) => service.name === name)).map(schemaOf)
  for (const table of Object.keys(keepDays))
    if (!aging.includes(table) && !elsewhere.some((schema) => table.startsWith(`${schema}.`)))
      throw new UsageError(
        `ICOSA_RETENTION names '${table}', whose rows do not go with age: those of ${aging.join(', ')} do.`,
      )
}

/** Runs a node on the database that the settings name until the process is asked to end, then closes both. */
export async function runNode(
  config: Config,
  chosen: Chosen,
  options: (url: string, services: readonly Service[]) => Promise<NodeOptions>,
  onReady: (node: RunningNode, database: FoundDatabase, services: readonly Service[]) => void,
): Promise<void> {
  const database = await findDatabase(config)
  try {
    const services = await chosen.create(database.url)
    const complete = await options(database.url, services)
    await chosen.inspect(database.url)
    const node = await startNode(complete)
    onReady(node, database, services)
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
  remark(`${received}: finishing what is running. Send it again to stop at once.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
}
