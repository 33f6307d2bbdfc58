import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Blobs, type FairSemaphore, fairSemaphore, type OnStop, type Platform, rateLimiter } from '@icosa/kernel'
import type { Sandbox } from '@icosa/sandbox'
import { lazySandbox } from '@icosa/sandbox/lazy'
import type { OpenedInstances } from './instances/index.ts'
import { type Logs, openLogs } from './logs/logs.ts'
import { serviceName } from './names.ts'
import { type FoundRuntime, openRuntimes, type Runtimes, runtimes } from './runtimes/index.ts'
import type { FunctionsSettings } from './settings.ts'

/** What a node holds for functions. */
export interface ServiceRuntime {
  readonly runtimes: Runtimes
  /** What this machine has. */
  foundRuntimes(): Promise<readonly FoundRuntime[]>
  /** Opened for the first build. */
  sandbox(): Promise<Sandbox>
  /** Opened for the first call. */
  instances(): Promise<OpenedInstances>
  readonly logs: Logs
  /** The blobs of a tenant, for a request that names its tenant by a signed address instead of a credential. */
  blobsOf(tenant: string): Blobs
  readonly traces: Platform['traces']
  /** Refuses a call beyond what this tenant's functions may take in a second. */
  countCall(tenant: string): void
  /** Lets few deliveries at once have a stored message, of up to 10 MB each, in memory. */
  readonly storedMessages: FairSemaphore
  readonly buildFolder: string
  readonly buildMs: number
  /** Where packages that a source names are fetched, if anywhere. */
  readonly registry: string | undefined
}

export const startWith =
  (settings: FunctionsSettings) =>
  (platform: Platform, onStop: OnStop): ServiceRuntime => {
    const { folder, sandbox: runtime, nodejs22, buildMs, registry, callsPerSecond } = settings
    const { database, clock, log, traces } = platform
    const logs = openLogs(platform)
    const blobsOf = (tenant: string) => platform.blobsOf(serviceName, tenant)
    onStop(() => logs.flush())
    const onError = (error: unknown) => log.error({ err: error }, 'what runs functions')
    // What few requests need is loaded by the first of them.
    const sandbox = lazySandbox({ runtime, state: join(folder, 'sandbox'), onError })
    onStop(() => sandbox.close())
    const instances = lazily(async () => {
      const { openInstances } = await import('./instances/index.ts')
      return openInstances({
        ...{ database, clock, folder, onError, node: randomUUID() },
        sandbox: { runtime },
        runtimes: { nodejs22 },
        artifacts: { open: async (tenant, key) => (await blobsOf(tenant).get(key)).body },
        log: (line) => logs.printed(line),
        ...(settings.limits && { limits: settings.limits }),
      })
    })
    onStop(async () => (await instances.opened())?.close())
    return {
      runtimes: openRuntimes(join(folder, 'runtimes'), { nodejs22 }),
      foundRuntimes: lazily(() => runtimes({ nodejs22 })).open,
      sandbox: sandbox.open,
      instances: instances.open,
      logs,
      blobsOf,
      traces,
      countCall: rateLimiter(callsPerSecond ? { perSecond: callsPerSecond, burst: callsPerSecond } : undefined),
      storedMessages: fairSemaphore(8),
      buildFolder: join(folder, 'builds'),
      buildMs,
      registry,
    }
  }

/** Opened by whoever needs it first; if that fails, by the next one. */
function lazily<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined
  return {
    open(): Promise<T> {
      making ??= make().catch((error) => {
        making = undefined
        throw error
      })
      return making
    },
    opened: async (): Promise<T | undefined> => making?.catch(() => undefined),
  }
}
