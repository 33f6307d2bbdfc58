import { setTimeout as sleep } from 'node:timers/promises'

/** Stands for whatever a service holds open on a node: a pool, a thread, a connection. */
export interface Press {
  print(forMs: number, signal: AbortSignal): Promise<void>
  /** Whatever is being printed stops. */
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
