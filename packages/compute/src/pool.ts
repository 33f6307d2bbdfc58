import { fairSemaphore, type Metrics } from '@icosa/kernel'
import { type Ask, type AskOptions, PoolWorker, unlessAborted } from './worker.ts'

export interface PoolOptions {
  /** In messages and metrics: `feed parsing`. */
  readonly name: string
  /** The module that calls `serve`: `new URL('./thread.ts', import.meta.url)`. */
  readonly module: URL
  /** Passed to the module before it is warm: the path of its models, for instance. */
  readonly argument?: string
  /** Processes for native code, which can crash or hang its process; threads for everything else. */
  readonly as?: 'threads' | 'processes'
  /** At least 2, the default: one tenant never occupies all workers, so another tenant's call always finds one. */
  readonly size?: number
  /** Workers started and warmed immediately, and again when lost; the others start on demand. */
  readonly warmAtStart?: number
  /** Maximum number of queued calls, shared fairly by all tenants, and their timeout. */
  readonly maxWaiting?: number
  readonly waitMs?: number
  readonly deadlineMs?: number
  readonly warmMs?: number
  /** Heap of a thread; total memory of a process. */
  readonly memoryMb?: number
  readonly metrics?: Metrics
}

export interface HoldOptions {
  readonly signal?: AbortSignal | undefined
  /** Prefers the worker with this number, modulo the size, if idle: for calls that share in-memory state. */
  readonly affinity?: number
}

export interface PoolLoad {
  readonly size: number
  readonly warm: number
  readonly running: number
  readonly waiting: number
}

export interface Pool<Input, Output> {
  /** Rejects with the worker's error, `WorkerLost`, or the signal's reason. */
  run(tenant: string, input: Input, options?: AskOptions): Promise<Output>
  /** Reserves one worker for several calls, which may keep state between them. */
  hold<T>(tenant: string, use: (ask: Ask<Input, Output>) => Promise<T>, options?: HoldOptions): Promise<T>
  /** Resolves when all workers are warm. */
  warm(): Promise<void>
  load(): PoolLoad
  /** Kills all workers immediately. */
  close(): Promise<void>
}

/** CPU work off the event loop, shared fairly between tenants: as many concurrent calls as workers. */
export function openPool<Input, Output>(options: PoolOptions): Pool<Input, Output> {
  const { name, module, argument = '', as = 'threads', maxWaiting = 1_000, waitMs = 30_000 } = options
  const { deadlineMs = 30_000, warmMs = 60_000, memoryMb = 256, warmAtStart = 0, metrics } = options
  const size = Math.max(2, options.size ?? 2)
  const workers = Array.from(
    { length: size },
    () => new PoolWorker({ name, module, argument, as, deadlineMs, warmMs, memoryMb }),
  )
  const idle = workers.toReversed()
  const gate = fairSemaphore(size, { maxWaiting, waitMs })
  const startSome = () => {
    for (const worker of workers.slice(0, warmAtStart)) if (!worker.isWarm) worker.warm().catch(() => {}) // the next call reports it
  }

  const takeIdle = (affinity: number | undefined): PoolWorker => {
    const home = affinity === undefined ? undefined : workers[affinity % size]
    const index = home && idle.includes(home) ? idle.indexOf(home) : idle.findLastIndex(({ isWarm }) => isWarm)
    return idle.splice(index, 1)[0] as PoolWorker // as many as slots
  }

  const hold: Pool<Input, Output>['hold'] = (tenant, use, { signal, affinity } = {}) => {
    const turn = gate.run(tenant, async () => {
      signal?.throwIfAborted()
      const worker = takeIdle(affinity)
      try {
        return await use((input, more = {}) => worker.ask(input, { signal, ...more }) as Promise<Output>)
      } finally {
        idle.push(worker)
        startSome()
      }
    })
    return unlessAborted(turn, signal)
  }
  const load = () => ({ size, warm: workers.filter(({ isWarm }) => isWarm).length, ...gate.load() })

  startSome()
  const metric = `icosa_pool_${name.replace(/\W+/g, '_')}`
  metrics?.gauge(`${metric}_running`, `Calls running on workers of ${name}.`, () => load().running)
  metrics?.gauge(`${metric}_waiting`, `Calls waiting for a worker of ${name}.`, () => load().waiting)
  return {
    run: (tenant, input, more = {}) => hold(tenant, (ask) => ask(input, more), more),
    hold,
    async warm() {
      await Promise.all(workers.map((worker) => worker.warm()))
    },
    load,
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}
