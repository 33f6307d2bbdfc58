import type pg from 'pg'
import type { Connector } from './connector.ts'
import type { DatabaseLimits } from './limits.ts'
import { DatabaseUnavailable, unreachable } from './unavailable.ts'

type Done = (error: Error | undefined, client: pg.PoolClient | undefined, release: (broken?: boolean) => void) => void

export interface Lender {
  /** A connection, at once if one is free. Whoever must wait does so for a while only, and not behind too many. */
  lend(done: Done): void
  /** Refuses those who wait and those who come. */
  close(): void
}

interface Waiter {
  readonly done: Done
  readonly since: number
}

const sweepMs = 250

/** The pool's queue with a bound and a patience. Where a connection is free, this costs no timer and no entry. */
export function lender(pool: pg.Pool, connector: Connector, limits: DatabaseLimits): Lender {
  const waiters = new Set<Waiter>()
  let sweeping: NodeJS.Timeout | undefined
  let closed = false

  function wait(done: Done): void {
    const waiter = { done, since: performance.now() }
    waiters.add(waiter)
    sweeping ??= setInterval(sweep, sweepMs).unref()
    pool.connect((error, client, release) => {
      if (waiters.delete(waiter)) done(error, client, release)
      else queueMicrotask(release) // too late; many of them must not pass it on within one call
    })
  }

  function sweep(): void {
    const since = performance.now() - limits.waitMs
    const tired = [...waiters].filter((waiter) => waiter.since < since)
    if (tired.length > 0) void connector.check() // it may be that nothing comes back because the server is gone
    for (const { done } of tired) refuse(done, 'No connection to the database became free: try again in a moment.')
    for (const waiter of tired) waiters.delete(waiter)
    if (waiters.size > 0) return
    clearInterval(sweeping)
    sweeping = undefined
  }

  return {
    lend(done) {
      if (closed) refuse(done, stopping)
      else if (pool.idleCount > pool.waitingCount) pool.connect(done)
      else if (connector.isAway()) refuse(done, unreachable)
      // Those who gave up are still counted until the pool comes to them: if it never does, nobody else need wait.
      else if (pool.waitingCount >= limits.waiters)
        refuse(done, 'Too many wait for the database: try again in a moment.')
      else wait(done)
    },
    close() {
      closed = true
      clearInterval(sweeping)
      for (const { done } of waiters) refuse(done, stopping)
      waiters.clear()
    },
  }
}

const stopping = 'This node is about to stop: try again, and another one will answer.'

function refuse(done: Done, why: string): void {
  done(new DatabaseUnavailable(why), undefined, () => {})
}
