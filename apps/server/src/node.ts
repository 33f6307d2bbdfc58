import { blobStore } from '@icosa/blobs'
import { guardedFetch } from '@icosa/fetch'
import { agingTables, type NodeOptions, type RunningNode, type Service, schemaOf, startNode } from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import { type Controls, platformWith } from '@icosa/platform'
import { limitedBlobs } from '@icosa/platform/limits'
import { type CellDirectory, type OperatorOptions, operatorWith } from '@icosa/platform/operator'
import { createLog, openTelemetry } from '@icosa/telemetry'
import { jwtTokens, masterKeyVault } from '@icosa/tokens'
import manifest from '../package.json' with { type: 'json' }
import type { Chosen } from './choose.ts'
import type { Config } from './config.ts'
import type { FoundDatabase } from './database.ts'
import { front } from './front/front.ts'
import { openMasterKeys } from './master-key/tokens.ts'
import { askedToStop, endSoon, outliveOutages } from './process.ts'
import { serviceNames, unbuilt } from './services.ts'
import { tagsIn } from './tenants/named.ts'
import { tenanciesOf } from './tenants/services.ts'
import { allSealed } from './vault.ts'

/** Adds the platform service; with a virtual clock, it includes the operations that move the clock. */
export const withPlatform = (
  chosen: readonly Service[],
  clock: Config['clock'],
  history: Config['history'] = clock === 'virtual' ? 'on' : 'off',
  controls?: Controls,
  keepDays: Config['keepDays'] = {},
  operator: Omit<OperatorOptions, 'auditDays'> = {},
) => [
  ...chosen,
  platformWith({
    isDevelopment: clock === 'virtual',
    keepsHistory: history === 'on',
    controls,
    version: manifest.version,
  }),
  operatorWith({ auditDays: keepDays['platform.audit'], ...operator }),
]

export type Roles = Pick<NodeOptions, 'api' | 'worker'>

export function nodeOptions(
  config: Config,
  databaseUrl: string,
  chosen: readonly Service[],
  roles: Roles,
  {
    controls,
    directory,
  }: { readonly controls?: Controls | undefined; readonly directory?: CellDirectory | undefined } = {},
): NodeOptions {
  if (config.masterKeys.length === 0)
    throw new UsageError(
      'Set ICOSA_MASTER_KEY to a key of 32 bytes in base64, such as `openssl rand -base64 32` prints, or to the URI of a token key.',
    )
  if (!config.blobs) throw new UsageError('Set ICOSA_BLOBS to a folder or to s3://bucket/prefix.')
  const tenancies: OperatorOptions['tenancies'] = (...stored) => tenanciesOf(config, databaseUrl, ...stored)
  const services = withPlatform(chosen, config.clock, config.history, controls, config.keepDays, {
    tenancies,
    directory,
  })
  checkKeepDays(config, services)
  return {
    services,
    databaseUrl,
    databaseDirectUrl: config.databaseDirectUrl,
    maxConnections: config.maxConnections,
    async vault(database) {
      const masterKeys = await openMasterKeys(database, config.masterKeys, config.masterKeyEnvironment)
      return masterKeyVault({ masterKeys, sealed: allSealed })(database)
    },
    log: createLog({ level: config.logLevel }),
    telemetry: openTelemetry({ collector: collectorOf(config), sampled: config.traces.sampled }),
    clock: config.clock,
    maxClockSkewMs: config.clockSkewLimit * 1_000,
    blobs: limitedBlobs(blobStore(config.blobs)),
    tokens: jwtTokens({ trustedIssuers: config.trustedIssuers }),
    fetch: () => guardedFetch({ allow: config.fetchAllow }),
    subscriptions: config.subscriptions,
    publicUrls: config.publicUrls,
    trustedProxies: config.trustedProxies,
    rateLimit: config.rateLimit,
    drainMs: config.drainMs,
    metrics: config.metrics.port === undefined ? undefined : { host: config.metrics.host, port: config.metrics.port },
    keepDays: config.keepDays,
    unbuilt,
    tagIn: tagsIn(services),
    front: front(services, { signIn: config.consoleSignIn }),
    ...roles,
  }
}

function collectorOf({ traces }: Config) {
  const { endpoint: url, headers, serviceName } = traces
  return url === undefined ? undefined : { url, headers, serviceName }
}

/** Ignores tables of services that run elsewhere: this node does not know them. */
function checkKeepDays({ keepDays }: Config, chosen: readonly Service[]): void {
  const aging = agingTables(chosen).map(({ name }) => name)
  const elsewhere = serviceNames.filter((name) => !chosen.some((service) => service.name === name)).map(schemaOf)
  for (const table of Object.keys(keepDays))
    if (!aging.includes(table) && !elsewhere.some((schema) => table.startsWith(`${schema}.`)))
      throw new UsageError(
        `ICOSA_RETENTION names '${table}', whose rows are never deleted by age: those of ${aging.join(', ')} are.`,
      )
}

/** Runs a node on a database until a termination signal, then closes both. */
export async function runNode(
  ready: Promise<FoundDatabase>,
  chosen: Chosen,
  options: (url: string, services: readonly Service[]) => Promise<NodeOptions>,
  onReady: (node: RunningNode, database: FoundDatabase, services: readonly Service[]) => void,
  say: (line: string) => void,
): Promise<void> {
  const creating = chosen.create(ready.then(({ directUrl }) => directUrl))
  creating.catch(() => {}) // awaited below, once there is a database to close
  const database = await ready
  try {
    const services = await creating
    const complete = await options(database.url, services)
    await chosen.inspect(database.directUrl)
    const node = await startNode(complete)
    outliveOutages(say)
    onReady(node, database, services)
    await askedToStop(say)
    await node.stop()
  } finally {
    await database.close()
    endSoon()
  }
}
