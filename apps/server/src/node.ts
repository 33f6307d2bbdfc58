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
import type { Chosen } from './choose.ts'
import type { Config } from './config.ts'
import type { FoundDatabase } from './database.ts'
import { serviceNames, unbuilt } from './services.ts'
import { allSealed } from './vault.ts'

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

/** Runs a node on a database until the process is asked to end, then closes both. */
export async function runNode(
  ready: Promise<FoundDatabase>,
  chosen: Chosen,
  options: (url: string, services: readonly Service[]) => Promise<NodeOptions>,
  onReady: (node: RunningNode, database: FoundDatabase, services: readonly Service[]) => void,
): Promise<void> {
  const creating = chosen.create(ready.then(({ url }) => url))
  creating.catch(() => {}) // what is wrong is heard below, when there is a database to close
  const database = await ready
  try {
    const services = await creating
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
