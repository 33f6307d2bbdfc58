import { setTimeout as sleep } from 'node:timers/promises'

/** Represents any object that a service keeps open on a node: a pool, a thread, a connection. */
export interface Press {
  print(forMs: number, signal: AbortSignal): Promise<void>
  /** Aborts running prints. */
  close(): void
}

export function openPress(atLeastMs: number): Press {
  const closing = new AbortController()
  return {
    print: (forMs, signal) =>
      sleep(Math.max(forMs, atLeastMs), undefined, { signal: AbortSignal.any([signal, closing.signal]) }),
    close: () => closing.abort(),
  }
}
