import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { isOutage } from '@icosa/kernel'

/**
 * Keeps the process running after an unhandled rejection caused by an outage: a restart would meet the same outage. Any
 * other unhandled rejection is a bug and ends the process.
 */
export function outliveOutages(say: (line: string) => void): void {
  process.on('unhandledRejection', (reason) => {
    if (!isOutage(reason)) throw reason
    say(`An unhandled outage: ${(reason as Error).stack}`)
  })
}

/** Exits even if something keeps the process alive, such as a job that ignores its abort signal. */
export function endSoon(): void {
  setTimeout(() => process.exit(), 500).unref()
}

/** Resolves at SIGINT or SIGTERM. A second signal ends the process at once. */
export async function askedToStop(say: (line: string) => void): Promise<void> {
  setTimeout(flushCompileCache, 1_000).unref() // early, since a killed process does not write it
  const { signal: received } = await Promise.race(
    (['SIGINT', 'SIGTERM'] as const).map(async (signal) => ({ signal, event: await once(process, signal) })),
  )
  say(`${received}: finishing running requests and jobs. Send it again to stop immediately.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
}
