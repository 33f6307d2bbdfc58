import type pg from 'pg'
import { Places } from '../../sharing/places.ts'
import type { Party } from '../../sharing/share.ts'
import { sweeper } from '../../sharing/sweeper.ts'
import type { Connector } from './connector.ts'
import type { DatabaseLimits } from './limits.ts'
import { DatabaseUnavailable } from './unavailable.ts'

type Done = (error: Error | undefined, client: pg.PoolClient | undefined, release: (broken?: boolean) => void) => void

export interface Lender {
  /** A connection, at once if one is free. Whoever must wait does so for a while only, and not behind too many. */
  lend(party: Party, done: Done): void
  readonly waiting: number
  /** Refuses those who wait and those who come. */
  close(): void
}

interface Waiter {
  readonly done: Done
  readonly since: number
}

const sweepMs = 250

/**
 * The pool's queue with a bound and a patience, and shares: one tenant never has all connections, and whoever waits does so
 * behind its own statements only. Where a connection is free, this costs no timer and no entry.
 */
export function lender(pool: pg.Pool, connector: Connector, limits: DatabaseLimits): Lender {
  const places = new Places<Waiter>({
    places: pool.options.max,
    maxWaiting: limits.maxWaiting,
    begin: (party, { done }) => give(party, done),
  })
  let closed = false

  const sweep = sweeper(sweepMs, () => {
    const tired = places.expire(performance.now() - limits.waitMs)
    if (tired.length > 0) void connector.check() // it may be that nothing comes back because the server is gone
    for (const { done } of tired) refuse(done, 'No connection to the database became free: try again in a moment.')
    return places.waiting > 0
  })

  /** The party has its place: the pool finds it a connection, or makes one. */
  function give(party: Party, done: Done): void {
    pool.connect((error, client, release) => {
      if (client)
        done(error, client, (broken) => {
          release(broken)
          places.leave(party)
        })
      else {
        done(error, client, release)
        places.leave(party)
      }
    })
  }

  return {
    get waiting() {
      return places.waiting + pool.waitingCount
    },
    lend(party, done) {
      if (closed) refuse(done, stopping)
      else if (pool.idleCount === 0 && connector.isAway()) done(connector.outage(), undefined, () => {})
      else if (places.take(party)) give(party, done)
      else if (places.wait(party, { done, since: performance.now() })) sweep()
      else refuse(done, 'Too many requests are waiting for the database: try again in a moment.')
    },
    close() {
      closed = true
      for (const { done } of places.expire()) refuse(done, stopping)
    },
  }
}

const stopping = 'This node is about to stop: try again, and another one will answer.'

function refuse(done: Done, why: string): void {
  done(new DatabaseUnavailable(why), undefined, () => {})
}
