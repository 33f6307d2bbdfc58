import { fairSemaphore, type Metrics } from '@icosa/kernel'
import { type Ask, type AskOptions, PoolWorker, unlessAborted } from './worker.ts'

export interface PoolOptions {
  /** In messages and figures: `feed parsing`. */
  readonly name: string
  /** The module that calls `serve`: `new URL('./thread.ts', import.meta.url)`. */
  readonly module: URL
  /** What the module is told before it is warm: where its models are, for instance. */
  readonly argument?: string
  /** Processes for native code, which can crash its process or never come back; threads for everything else. */
  readonly as?: 'threads' | 'processes'
  /** At least 2, the default: one tenant never holds all workers, so a call of another tenant always finds one. */
  readonly size?: number
  /** So many workers are started and warmed at once, and again when they were lost; the others when they are needed. */
  readonly warmAtStart?: number
  /** How many calls may wait, all tenants together, each its share; and for how long. */
  readonly maxWaiting?: number
  readonly waitMs?: number
  readonly deadlineMs?: number
  readonly warmMs?: number
  /** Of a thread the heap; of a process all of its memory. */
  readonly memoryMb?: number
  readonly metrics?: Metrics
}

export interface HoldOptions {
  readonly signal?: AbortSignal | undefined
  /** The worker with this number, modulo the size, if it is idle: calls that share state in a worker's memory share a number. */
  readonly affinity?: number
}

export interface PoolLoad {
  readonly size: number
  readonly warm: number
  readonly running: number
  readonly waiting: number
}

export interface Pool<Input, Output> {
  /** Rejects with what the worker threw, with `WorkerLost`, or with the reason of the signal. */
  run(tenant: string, input: Input, options?: AskOptions): Promise<Output>
  /** Keeps one worker for several calls, which may remember something between them. */
  hold<T>(tenant: string, use: (ask: Ask<Input, Output>) => Promise<T>, options?: HoldOptions): Promise<T>
  /** Resolves when all workers are warm. */
  warm(): Promise<void>
  load(): PoolLoad
  /** Ends all workers at once, whatever they do. */
  close(): Promise<void>
}

/** CPU work beside the event loop, shared fairly between tenants: as many calls at once as there are workers. */
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
    for (const worker of workers.slice(0, warmAtStart)) if (!worker.isWarm) worker.warm().catch(() => {}) // the next call says why not
  }

  const takeIdle = (affinity: number | undefined): PoolWorker => {
    const home = affinity === undefined ? undefined : workers[affinity % size]
    const index = home && idle.includes(home) ? idle.indexOf(home) : idle.findLastIndex(({ isWarm }) => isWarm)
    return idle.splice(index, 1)[0] as PoolWorker // there are as many as places
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
  metrics?.gauge(`${metric}_running`, `Calls that workers of ${name} are at.`, () => load().running)
  metrics?.gauge(`${metric}_waiting`, `Calls that wait for a worker of ${name}.`, () => load().waiting)
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
