import { Worker } from 'node:worker_threads'

/**
 * When an emulation has had its time: in milliseconds of the processor, since on a busy machine the same work takes many times as
 * long by the clock; and by the clock, for a machine that never gives it any.
 */
export interface Deadline {
  readonly cpuMs: number
  /** Since 1970. */
  readonly clockMs: number
}

/** So much longer than the processor's time the clock's may be. */
export const patience = 4

/** Of all threads of the process: the emulator has threads of its own. */
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
  /** The machine that runs; 0 if none does. */
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

/** A machine must not be closed while it is being stopped. */
export function whileLocked({ lock }: WatchdogMemory, work: () => void): void {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0) Atomics.wait(lock, 0, 1, 1)
  work()
  Atomics.store(lock, 0, 0)
  Atomics.notify(lock, 0)
}

const started: { memory?: WatchdogMemory } = {}

/** The thread that emulates is busy until it is stopped: only another one can do that. */
export function watch(handle: bigint, deadline: Deadline): void {
  if (!started.memory) {
    const shared = new SharedArrayBuffer(32)
    started.memory = watchdogMemory(shared)
    new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: shared }).unref()
  }
  const { memory } = started
  whileLocked(memory, () => {
    memory.handle[0] = handle
    memory.deadline.set([deadline.cpuMs, deadline.clockMs])
  })
}

export function unwatch(): void {
  const { memory } = started
  if (memory)
    whileLocked(memory, () => {
      memory.handle[0] = 0n
    })
}
