import type { Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { credentials } from './auth/credentials.ts'
import type { OpenTokens } from './auth/tokens.ts'
import type { OpenVault } from './auth/vault.ts'
import { type OpenBlobs, type OpenedBlobs, ownBlobs } from './blobs.ts'
import { defaultMaxSkewMs, watchClock } from './clock/skew.ts'
import { systemClock } from './clock/system.ts'
import { clockChannel, type VirtualClock, virtualClock } from './clock/virtual.ts'
import type { Listener } from './db/connection/listen.ts'
import { type Database, type DatabaseOptions, openDatabase } from './db/db.ts'
import { type Migrations, readMigrations } from './db/migration/files.ts'
import { type MigrationProgress, migrate } from './db/migration/migrate.ts'
import type { FaultInjector } from './fault-injection.ts'
import type { OpenFetch } from './fetch.ts'
import { addHealth, type Lacking, serveMetrics } from './http/health.ts'
import { createServer, type ServedRoute, type ServerOptions } from './http/server.ts'
import { openQueue, wakeChannel } from './jobs/queue.ts'
import { transactionOf } from './jobs/transaction.ts'
import { startWorker, type Worker, type WorkerOptions } from './jobs/worker.ts'
import { recentlyUsed } from './memory/recently-used.ts'
import { withOrphanSweep } from './orphans.ts'
import { type Platform, platformOf, type SubscriptionRule, type UnmetNeed } from './platform.ts'
import type { AccessLog } from './ports/access-log.ts'
import { type BoundBackup, backupsOf } from './ports/backups.ts'
import { combineKeys, type KeyHolder } from './ports/keys.ts'
import { type KeepDays, withPruning } from './retention.ts'
import type { Service, StartedService } from './service.ts'
import { closeMs, startServices } from './start.ts'
import type { Log } from './telemetry/log.ts'
import type { Metrics, OpenTelemetry } from './telemetry/telemetry.ts'

export interface NodeOptions
  extends Pick<
    ServerOptions,
    'publicUrls' | 'trustedProxies' | 'rateLimit' | 'checkReplies' | 'unbuilt' | 'front' | 'hostnames' | 'tls' | 'tagIn'
  > {
  readonly services: readonly Service[]
  readonly databaseUrl: string
  /** PostgreSQL itself, if `databaseUrl` points to a pooler. */
  readonly databaseDirectUrl?: string | undefined
  readonly maxConnections: number
  readonly reserveName?: DatabaseOptions['reserveName']
  readonly vault: OpenVault
  readonly log: Log
  readonly telemetry: OpenTelemetry
  /** `virtual`: the clock can be moved, for development and tests. */
  readonly clock: 'system' | 'virtual'
  /** Maximum difference between this machine's clock and PostgreSQL's. Beyond it, the node does not work. */
  readonly maxClockSkewMs?: number | undefined
  readonly blobs: OpenBlobs
  /** Verifies bearer tokens; without it, none are accepted. */
  readonly tokens?: OpenTokens
  readonly fetch: OpenFetch
  /** Defaults to `bind`. */
  readonly subscriptions?: SubscriptionRule
  /** Whether the well-known credentials of development mode are accepted. */
  readonly development?: boolean
  readonly faultInjector?: FaultInjector | undefined
  /** A worker may listen too, with no services: for its health. */
  readonly api?: { readonly host: string; readonly port: number; readonly services?: readonly Service[] }
  /** Address of the metrics; not served if omitted. */
  readonly metrics?: { readonly host: string; readonly port: number } | undefined
  /** Missing prerequisites of services, for `/readyz`. */
  readonly lacking?: (() => Lacking) | undefined
  /** The same, with how to install it. */
  readonly unmetNeeds?: (() => readonly UnmetNeed[]) | undefined
  readonly worker?: Pick<WorkerOptions, 'concurrency' | 'background' | 'heartbeat' | 'leaseMs'>
  /** The operator's overrides of retention periods. */
  readonly keepDays?: KeepDays | undefined
  /** How long a draining node, reported as not ready, still accepts requests. */
  readonly drainMs: number
}

export interface RunningNode {
  readonly platform: Platform
  /** Undefined if it does not listen. */
  readonly url: string | undefined
  /** Undefined if not served. */
  readonly metricsUrl: string | undefined
  readonly worker: Worker | undefined
  readonly routes: readonly ServedRoute[]
  readonly clock: VirtualClock | undefined
  /** Shuts down gracefully within `graceMs`. 0: immediately, without waiting for the database either. */
  stop(graceMs?: number): Promise<void>
}

const kernelMigrations = new URL('../migrations/', import.meta.url)

export function migrationsOf(services: readonly Service[]): Migrations[] {
  const own = services.flatMap(({ name, migrations }) => (migrations ? [{ owner: name, directory: migrations }] : []))
  return [{ owner: 'icosa', directory: kernelMigrations }, ...own]
}

/** Updates the schemas of all services. Safe to run on several nodes concurrently. */
export async function prepareDatabase(
  database: Database,
  services: readonly Service[],
  progress?: MigrationProgress,
): Promise<void> {
  await migrate(database, await readMigrations(migrationsOf(services)), progress)
}

interface OpenedPlatform {
  readonly platform: Platform
  readonly movable: VirtualClock | undefined
  readonly blobs: OpenedBlobs
  /** Adds the backups, keys and access logs of started services. */
  offer(services: readonly StartedService[]): void
}

/** Opens everything that a node offers its services; `opened` closes it. */
async function openPlatform(
  options: NodeOptions,
  opened: AsyncDisposableStack,
  publicUrl: () => string,
): Promise<OpenedPlatform> {
  const { log, databaseUrl: url, databaseDirectUrl: directUrl, maxConnections, reserveName } = options
  const onError = databaseErrors(log)
  const database = openDatabase({
    ...{ url, directUrl, maxConnections, onError, reserveName },
    checkTransactions: options.checkReplies,
  })
  opened.defer(() => database.close())
  const movable = options.clock === 'virtual' ? await virtualClock(database) : undefined
  const clock = movable ?? systemClock
  await database.fence.refresh()
  const cellVault = await options.vault(database)
  opened.defer(() => cellVault.close())
  const { metrics, traces, ...telemetry } = options.telemetry(log)
  opened.defer(() => telemetry.close())
  const maxSkewMs = options.maxClockSkewMs ?? defaultMaxSkewMs
  const clockWatch = await watchClock({ database, log, metrics, maxSkewMs })
  opened.defer(clockWatch.stop)
  const queue = openQueue({ database, onError, carried: traces.carried })
  const fetch = options.fetch()
  opened.defer(() => fetch.close())
  const blobs = await options.blobs({ clock, database, signingKey: cellVault.derive('blobs'), publicUrl })
  const tokens = options.tokens?.({ database, clock, cellVault, fetch, log })
  const backups = new Map<string, BoundBackup>()
  const keyHolders: KeyHolder[] = []
  const accessLogs: AccessLog[] = []
  const platform: Platform = {
    node: {
      services: options.api?.services ?? options.services,
      isDevelopment: options.development === true,
      roles: rolesOf(options),
      clock: movable ? 'virtual' : 'system',
      unmetNeeds: options.unmetNeeds ?? (() => []),
    },
    backups,
    keys: combineKeys(keyHolders),
    recordAccess: (entry) => {
      for (const record of accessLogs) record(entry)
    },
    database,
    queue,
    clock,
    clockProblem: clockWatch.problem,
    cellVault,
    credentials: credentials(database, clock, cellVault, tokens, options.development),
    subscriptions: { rule: options.subscriptions ?? 'bind', entered: recentlyUsed('subscriptions', 100_000) },
    blobs: blobs.blobs,
    blobsOf: (service, tenant) => ownBlobs(blobs.blobs, service, tenant),
    fetch,
    log,
    metrics,
    traces,
    faultInjector: options.faultInjector,
    transaction: (...work) => transactionOf(platform, ...work),
  }
  function offer(services: readonly StartedService[]): void {
    for (const [type, backup] of backupsOf(platform, services)) backups.set(type, backup)
    for (const { name, keys, accessLog, runtime } of services) {
      if (keys) keyHolders.push(keys(platformOf(platform, name), runtime))
      if (accessLog) accessLogs.push(accessLog(platformOf(platform, name), runtime))
    }
  }
  return { platform, movable, blobs, offer }
}

const databaseErrors = (log: Log) => (error: Error) => log.error({ err: error }, 'database connection')

/** Starts a node: API, worker or both, on one database. On failure, everything opened is closed. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { services, api } = options
  const onError = databaseErrors(options.log)
  await using opened = new AsyncDisposableStack()
  let listening: string | undefined
  const ownUrl = () => options.publicUrls?.[0] ?? listening ?? ''
  const { platform, movable, blobs, offer } = await openPlatform(options, opened, ownUrl)
  const { database, metrics } = platform
  addNodeFigures(metrics, options, database, blobs)

  let draining = false
  const isDraining = () => draining
  const served = api ? (api.services ?? services) : []
  const started = await startServices(options.worker ? [...services, ...served] : served, platform, opened)
  offer(started(options.worker ? services : served))
  const server = api && createServer({ ...options, services: started(served), platform, isDraining })
  if (server) {
    addHealth(server, platform, { isDraining, lacking: options.lacking, blobs: blobs.state })
    if (blobs.route) await server.register(blobs.route)
  }
  const withUpkeep = withOrphanSweep(withPruning(started(services), options.keepDays), blobs.blobs)
  const worker =
    options.worker &&
    (await startWorker({ platform, services: withUpkeep, databaseUrl: options.databaseUrl, ...options.worker }))
  const late = Promise.withResolvers<void>()
  opened.defer(() => Promise.race([worker?.stop(), late.promise]))
  const listener = await listenFor({ database, worker, movable, onError })
  opened.defer(() => listener?.close())
  const sockets = server && socketsOf(server.server)
  opened.defer(async () => Promise.race([server?.close(), late.promise]))
  listening = api && (await server?.listen({ host: api.host, port: api.port }))
  const figures = options.metrics && (await serveMetrics(metrics, options.metrics))
  opened.defer(async () => figures?.close())

  const running = opened.move()
  return {
    platform,
    url: listening,
    metricsUrl: figures?.url,
    worker,
    routes: server?.served ?? [],
    clock: movable,
    async stop(graceMs = defaultGraceMs) {
      draining = true
      if (server) await sleep(options.drainMs)
      // In reverse order: first requests, then jobs, service runtimes, and the database.
      const ended = running.disposeAsync().catch(onError)
      const within = (ms: number) => Promise.race([ended, sleep(ms, undefined, { ref: false })])
      if (graceMs > 0) await within(graceMs)
      // The rest may wait for events that never come.
      for (const socket of sockets ?? []) socket.destroy()
      worker?.abandon()
      late.resolve()
      if (graceMs === 0) database.abandon() // late writes must not count
      await within(closeMs)
      database.abandon()
      await within(unwindMs)
    },
  }
}

/** Time for running work after draining, and for promises to settle once everything is closed. */
const defaultGraceMs = 2_500
const unwindMs = 500

/** All client connections, including those without a request yet, which the server does not list. */
function socketsOf(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

const rolesOf = ({ api, worker }: Pick<NodeOptions, 'api' | 'worker'>) => ({
  api: api !== undefined && api.services?.length !== 0,
  worker: worker !== undefined,
})

function addNodeFigures(metrics: Metrics, options: NodeOptions, database: Database, { state }: OpenedBlobs): void {
  metrics.gauge('icosa_database_connections', 'Open connections.', () => database.load().open)
  metrics.gauge('icosa_database_waiting', 'Callers that wait for a connection.', () => database.load().waiting)
  // Distinguishes nodes in alerts, whatever the scrape job is called.
  const { lacking } = options
  const roles = rolesOf(options)
  const labels = { api: String(roles.api), worker: String(roles.worker) }
  metrics.gauge('icosa_node_info', 'Roles of this node.', () => [{ labels, value: 1 }])
  metrics.gauge('icosa_service_lacks', 'Number of prerequisites that a service misses on this node.', () =>
    Object.entries(lacking?.() ?? {}).map(([service, lacks]) => ({ labels: { service }, value: lacks.length })),
  )
  if (state)
    metrics.gauge('icosa_blob_store_writable', 'Whether the blob store accepts new objects: 1, or 0.', () =>
      Number(state() === 'ready'),
    )
}

interface Listening {
  readonly database: Database
  readonly worker: Worker | undefined
  readonly movable: VirtualClock | undefined
  readonly onError: (error: Error) => void
}

/** An API node on the system clock has nothing to listen for. */
async function listenFor({ database, worker, movable, onError }: Listening): Promise<Listener | undefined> {
  if (!worker && !movable) return undefined
  const moved = () => void movable?.refresh().then(() => worker?.wake([]), onError)
  return database.listen({
    ...(movable && { [clockChannel]: moved }),
    ...(worker && { [wakeChannel]: (names) => worker.wake(names?.split(' ') ?? []) }),
  })
}
