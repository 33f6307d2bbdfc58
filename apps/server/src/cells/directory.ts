import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, isOutage, Outage, openDatabase } from '@icosa/kernel'

/** The directory's database, as nodes use it. */
export interface Directory {
  /** Rejects with `DirectoryAway` if it cannot be reached, or does not answer in time. */
  use<T>(work: (database: Database) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DirectoryOptions {
  readonly url: string
  readonly onError: (error: Error) => void
  readonly maxMs?: number
}

export class DirectoryAway extends Outage {
  constructor(cause?: unknown) {
    super('The directory of cells cannot be reached, so no new names can be reserved: try again later.', {
      cause,
      retryAfterSeconds: 5,
    })
  }
}

const idleMs = 30_000
const defaultMaxMs = 3_000
const limits = { connectMs: 2_000, waitMs: 2_000, closeMs: 500 }

/** Connections are closed when they are idle, since nodes of all cells have some. */
export function openDirectory({ url, onError, maxMs = defaultMaxMs }: DirectoryOptions): Directory {
  let opened: Database | undefined
  let users = 0
  let idle: NodeJS.Timeout | undefined

  async function close(): Promise<void> {
    clearTimeout(idle)
    const database = opened
    opened = undefined
    await database?.close()
  }

  return {
    close,
    async use(work) {
      clearTimeout(idle)
      users++
      opened ??= openDatabase({ url, maxConnections: 2, onError, limits })
      const ended = new AbortController()
      const late = sleep(maxMs, undefined, { signal: ended.signal, ref: false }).then(
        () => Promise.reject(new DirectoryAway()),
        () => new Promise<never>(() => {}),
      )
      try {
        return await Promise.race([work(opened), late])
      } catch (error) {
        throw isOutage(error) && !(error instanceof DirectoryAway) ? new DirectoryAway(error) : error
      } finally {
        ended.abort()
        users--
        if (users === 0) idle = setTimeout(() => void close().catch(onError), idleMs).unref()
      }
    },
  }
}
