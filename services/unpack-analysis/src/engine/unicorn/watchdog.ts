import { Worker } from 'node:worker_threads'

/**
 * End of an emulation: by CPU time, which does not depend on the machine's load, and by the clock, in case it gets no CPU time
 * at all.
 */
export interface Deadline {
  readonly cpuMs: number
  /** Since 1970. */
  readonly clockMs: number
}

/** Maximum ratio of elapsed time to CPU time. */
export const patience = 4

/** CPU time of the process, including threads of the emulator. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

const clockMs = () => performance.timeOrigin + performance.now()

export const deadlineIn = (emulateMs: number): Deadline => ({
  cpuMs: cpuMs() + emulateMs,
  clockMs: clockMs() + patience * emulateMs,
})

export const isOver = (deadline: Deadline) => cpuMs() >= deadline.cpuMs || clockMs() >= deadline.clockMs

export interface WatchdogMemory {
  readonly lock: Int32Array
  /** The running machine; 0 if none. */
  readonly handle: BigUint64Array
  readonly deadline: Float64Array
}

export const watchdogMemory = (shared: SharedArrayBuffer): WatchdogMemory => ({
  lock: new Int32Array(shared, 0, 2),
  handle: new BigUint64Array(shared, 8, 1),
  deadline: new Float64Array(shared, 16, 2),
})

export const deadlineOf = ({ deadline: [cpu = 0, clock = 0] }: WatchdogMemory): Deadline => ({
  cpuMs: cpu,
  clockMs: clock,
})

/** Prevents a machine from being closed while it is being stopped. */
export function whileLocked({ lock }: WatchdogMemory, work: () => void): void {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0) Atomics.wait(lock, 0, 1, 1)
  work()
  Atomics.store(lock, 0, 0)
  Atomics.notify(lock, 0)
}

const watchdog: { memory?: WatchdogMemory } = {}

/** Stops a machine at its deadline, from another thread: the emulating one is blocked. */
export function watch(handle: bigint, deadline: Deadline): void {
  if (!watchdog.memory) {
    const shared = new SharedArrayBuffer(32)
    watchdog.memory = watchdogMemory(shared)
    new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: shared }).unref()
  }
  const { memory } = watchdog
  whileLocked(memory, () => {
    memory.handle[0] = handle
    memory.deadline.set([deadline.cpuMs, deadline.clockMs])
  })
}

export function unwatch(): void {
  const { memory } = watchdog
  if (memory)
    whileLocked(memory, () => {
      memory.handle[0] = 0n
    })
}
