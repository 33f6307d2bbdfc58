import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Claim } from './claim.ts'
import type { Rhythm, ThreadData, ToThread } from './heartbeat-thread.ts'
import { type Found, keptClaim, renewAll } from './renew.ts'
import type { Running } from './run.ts'

/**
 * Renews the leases of a worker's jobs, and aborts lost or cancelled ones. Runs in its own thread with its own
 * connection, so that a job may block the event loop for minutes. The thread starts with the first job.
 */
export interface Heartbeat {
  /** Must be called before the jobs start: they may block the event loop from then on. */
  keep(claims: readonly Claim[]): void
  /** Checks all leases immediately, in this thread, as only it can abort a job. */
  look(): Promise<void>
  /** Lets leases expire from now on. */
  stop(): Promise<void>
}

export interface HeartbeatOptions {
  readonly database: Db
  readonly databaseUrl: string
  readonly log: Logger
  readonly running: () => readonly Running[]
  readonly rhythm?: Partial<Rhythm> | undefined
}

/** Leases last 10 s. An event loop that is blocked for longer than `patienceMs` is considered dead. */
const defaultRhythm: Rhythm = { everyMs: 3_000, patienceMs: 5 * 60_000 }
const againMs = 1_000
/** A safeguard: usage is a tenth of it. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

export function startHeartbeat({ database, databaseUrl, log, running, rhythm }: HeartbeatOptions): Heartbeat {
  const workerData: ThreadData = { databaseUrl, ...defaultRhythm, ...rhythm }
  let thread: Worker | undefined
  let isStopped = false

  const post = (message: ToThread) => thread?.postMessage(message)
  const claims = () => running().map(({ claim }) => keptClaim(claim))

  function abort({ lost, cancelled }: Found): void {
    for (const { claim, operation, abort: end } of running()) {
      if (lost.includes(claim.id)) end('lost')
      else if (operation && cancelled.includes(operation.id)) end('cancelled')
    }
  }

  function begin(): Worker {
    const worker = new Worker(new URL('./heartbeat-thread.ts', import.meta.url), { workerData, resourceLimits })
    worker.unref()
    worker.on('message', (result: Found) => {
      abort(result)
      post({ running: claims() })
    })
    worker.on('error', (err) => log.error({ err }, 'the lease renewal thread died and is being restarted'))
    worker.on('exit', () => setTimeout(again, againMs).unref())
    return worker
  }

  function again(): void {
    if (isStopped) return
    thread = begin()
    post({ begun: claims() })
  }

  return {
    keep(begun) {
      if (isStopped || begun.length === 0) return
      thread ??= begin()
      post({ begun: begun.map(keptClaim) })
    },
    look: async () => abort(await renewAll(database, claims())),
    async stop() {
      isStopped = true
      await thread?.terminate()
    },
  }
}
