import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Db } from '../db/db.ts'
import type { Claim } from './claim.ts'
import type { Rhythm, ThreadData, ToThread } from './heartbeat-thread.ts'
import { type Found, keptClaim, renewAll } from './renew.ts'
import type { Running } from './run.ts'

/**
 * Says of all jobs of a worker that they go on, and aborts what was lost or cancelled. A thread of its own says it, on a
 * connection of its own, so a job may keep the event loop busy for minutes. It is there from the first job on.
 */
export interface Heartbeat {
  /** To be called before the jobs begin: from then on nothing else may get a word in. */
  keep(claims: readonly Claim[]): void
  /** Looks at once whether all claims still hold: from here, since only this thread can abort a job. */
  look(): Promise<void>
  /** From now on claims run out. */
  stop(): Promise<void>
}

export interface HeartbeatOptions {
  readonly database: Db
  readonly databaseUrl: string
  readonly log: Logger
  /** What runs now. */
  readonly running: () => readonly Running[]
  readonly rhythm?: Partial<Rhythm> | undefined
}

/** A claim lasts 10 s. An event loop that is blocked for longer than the patience is taken for one that never comes back. */
const usualRhythm: Rhythm = { everyMs: 3_000, patienceMs: 5 * 60_000 }
const againMs = 1_000
/** Only a guard: it needs a tenth of it. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }

export function startHeartbeat({ database, databaseUrl, log, running, rhythm }: HeartbeatOptions): Heartbeat {
  const workerData: ThreadData = { databaseUrl, ...usualRhythm, ...rhythm }
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
    const made = new Worker(new URL('./heartbeat-thread.ts', import.meta.url), { workerData, resourceLimits })
    made.unref()
    made.on('message', (found: Found) => {
      abort(found)
      post({ running: claims() })
    })
    made.on('error', (err) =>
      log.error({ err }, 'the thread that renews the claims of jobs died and is being restarted'),
    )
    made.on('exit', () => setTimeout(again, againMs).unref())
    return made
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
