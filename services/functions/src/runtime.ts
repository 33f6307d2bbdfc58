import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Blobs, type FairSemaphore, fairSemaphore, type OnStop, type Platform, rateLimiter } from '@icosa/kernel'
import type { Sandbox } from '@icosa/sandbox'
import { lazySandbox } from '@icosa/sandbox/lazy'
import { openPools } from './build/pools.ts'
import { type Network, openNetwork } from './egress/network.ts'
import type { OpenedInstances } from './instances/index.ts'
import { type Logs, openLogs } from './logs/logs.ts'
import { serviceName } from './names.ts'
import { type Policies, policiesOf } from './policies/grants.ts'
import { openRuntimes, type RuntimeStatus, type Runtimes, runtimes } from './runtimes/index.ts'
import type { FunctionsSettings } from './settings.ts'

export interface ServiceRuntime {
  readonly runtimes: Runtimes
  /** Runtimes of this machine. */
  listRuntimes(): Promise<readonly RuntimeStatus[]>
  /** Opened on the first build. */
  sandbox(): Promise<Sandbox>
  /** Opened on the first call. */
  instances(): Promise<OpenedInstances>
  readonly logs: Logs
  /** Blobs of a tenant, for requests with a signed URL instead of a credential. */
  blobsOf(tenant: string): Blobs
  readonly traces: Platform['traces']
  readonly policies: Policies
  readonly now: () => Date
  /** Keys of modules, which wrap data keys. */
  readonly keys: Platform['keys']
  /** Rate limit of calls to a tenant's functions. */
  countCall(tenant: string): void
  /** Limits the stored messages, of up to 10 MB each, in memory. */
  readonly storedMessages: FairSemaphore
  readonly buildFolder: string
  /** Limits of a build. */
  readonly poolOf: ReturnType<typeof openPools>
  /** URL of the npm registry for builds. */
  readonly registry: string | undefined
  readonly pythonIndex: string | undefined
  /** Whether builds may run code. */
  readonly buildScripts: boolean
  readonly network: Network
  /** Installed packages by tenant. */
  readonly packageFolder: string
}

export const startWith =
  (settings: FunctionsSettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const { folder, sandbox: runtime, nodejs22, buildMs, registry, callsPerSecond } = settings
    const { database, clock, log, traces, keys } = platform
    const logs = openLogs(platform)
    const blobsOf = (tenant: string) => platform.blobsOf(serviceName, tenant)
    onStop(() => logs.flush())
    const onError = (error: unknown) => log.error({ err: error }, 'function instances')
    // Loaded lazily, since few requests need it.
    const sandbox = lazySandbox({ runtime, state: join(folder, 'sandbox'), onError })
    onStop(() => sandbox.close())
    const network = openNetwork(settings, platform, onStop)
    const instances = lazily(async () => {
      const { openInstances } = await import('./instances/index.ts')
      return openInstances({
        ...{ database, clock, folder, onError, node: randomUUID() },
        sandbox: { runtime },
        network,
        runtimes: { nodejs22 },
        artifacts: { open: async (tenant, key) => (await blobsOf(tenant).get(key)).body },
        log: (line) => logs.add(line),
        ...(settings.limits && { limits: settings.limits }),
      })
    })
    onStop(async () => (await instances.current())?.close())
    return {
      runtimes: openRuntimes(join(folder, 'runtimes'), { nodejs22 }),
      listRuntimes: lazily(() => runtimes({ nodejs22 })).open,
      sandbox: sandbox.open,
      instances: instances.open,
      logs,
      blobsOf,
      traces,
      policies: policiesOf(platform),
      now: () => clock.now(),
      keys,
      countCall: rateLimiter(callsPerSecond ? { perSecond: callsPerSecond, burst: callsPerSecond } : undefined),
      storedMessages: fairSemaphore(8),
      buildFolder: join(folder, 'builds'),
      poolOf: openPools(settings.workerPools ?? {}, buildMs),
      registry,
      pythonIndex: settings.pythonIndex,
      buildScripts: settings.buildScripts ?? false,
      network,
      packageFolder: join(folder, 'packages'),
    }
  }

/** Created on first use, and retried after a failure. */
function lazily<T>(make: () => Promise<T>) {
  let created: Promise<T> | undefined
  return {
    open(): Promise<T> {
      created ??= make().catch((error) => {
        created = undefined
        throw error
      })
      return created
    },
    current: async (): Promise<T | undefined> => created?.catch(() => undefined),
  }
}
