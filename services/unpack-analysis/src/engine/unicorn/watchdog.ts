import { Worker } from 'node:worker_threads'

export interface WatchdogMemory {
  readonly lock: Int32Array
  /** The machine that runs; 0 if none does. */
  readonly handle: BigUint64Array
  /** In milliseconds since 1970. */
  readonly deadline: Float64Array
}

export const watchdogMemory = (shared: SharedArrayBuffer): WatchdogMemory => ({
  lock: new Int32Array(shared, 0, 2),
  handle: new BigUint64Array(shared, 8, 1),
  deadline: new Float64Array(shared, 16, 1),
})

/** A machine must not be closed while it is being stopped. */
export function whileLocked({ lock }: WatchdogMemory, work: () => void): void {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0) Atomics.wait(lock, 0, 1, 1)
  work()
  Atomics.store(lock, 0, 0)
  Atomics.notify(lock, 0)
}

const started: { memory?: WatchdogMemory } = {}

/** The thread that emulates is busy until it is stopped: only another one can do that. */
export function watch(handle: bigint, deadline: number): void {
  if (!started.memory) {
    const shared = new SharedArrayBuffer(24)
    started.memory = watchdogMemory(shared)
    new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: shared }).unref()
  }
  const { memory } = started
  whileLocked(memory, () => {
    memory.handle[0] = handle
    memory.deadline[0] = performance.timeOrigin + deadline
  })
}
