import type pg from 'pg'
import { FairQueue } from '../../sharing/fair-queue.ts'
import type { FairnessKey } from '../../sharing/fair-quota.ts'
import { sweeper } from '../../sharing/sweeper.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import type { DatabaseLimits } from './limits.ts'
import { DatabaseUnavailable } from './unavailable.ts'

type Done = (error: Error | undefined, client: pg.PoolClient | undefined, release: (broken?: boolean) => void) => void

export interface FairPool {
  /** Calls back with a connection, synchronously if one is free. The wait is bounded in time and in queue length. */
  acquire(key: FairnessKey, done: Done): void
  readonly waiting: number
  /** Refuses the waiting callers and all later ones. */
  close(): void
}

interface Waiter {
  readonly done: Done
  readonly since: number
}

const sweepMs = 250

/**
 * The connection pool behind a fair queue: no tenant gets all connections, and a waiting tenant queues only behind its own
 * statements. If a connection is free, this costs neither a timer nor a queue entry.
 */
export function fairPool(pool: pg.Pool, breaker: CircuitBreaker, limits: DatabaseLimits): FairPool {
  const queue = new FairQueue<Waiter>({
    slots: pool.options.max,
    maxWaiting: limits.maxWaiting,
    begin: (key, { done }) => connect(key, done),
  })
  let closed = false

  const sweep = sweeper(sweepMs, () => {
    const expired = queue.expire(performance.now() - limits.waitMs)
    if (expired.length > 0) void breaker.check() // connections may not come back because the server is down
    for (const { done } of expired) refuse(done, 'No connection to the database became free: try again in a moment.')
    return queue.waiting > 0
  })

  /** The key has its slot: the pool reuses a connection, or opens one. */
  function connect(key: FairnessKey, done: Done): void {
    pool.connect((error, client, release) => {
      if (client)
        done(error, client, (broken) => {
          release(broken)
          queue.release(key)
        })
      else {
        done(error, client, release)
        queue.release(key)
      }
    })
  }

  return {
    get waiting() {
      return queue.waiting + pool.waitingCount
    },
    acquire(key, done) {
      if (closed) refuse(done, stopping)
      else if (pool.idleCount === 0 && breaker.isOpen()) done(breaker.outage(), undefined, () => {})
      else if (queue.tryAcquire(key)) connect(key, done)
      else if (queue.enqueue(key, { done, since: performance.now() })) sweep()
      else refuse(done, 'Too many requests are waiting for the database: try again in a moment.')
    },
    close() {
      closed = true
      for (const { done } of queue.expire()) refuse(done, stopping)
    },
  }
}

const stopping = 'This node is stopping: try again, and another node will respond.'

function refuse(done: Done, why: string): void {
  done(new DatabaseUnavailable(why), undefined, () => {})
}
