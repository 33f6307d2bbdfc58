import { Failure } from '../errors.ts'
import { FairQueue } from './fair-queue.ts'
import type { FairnessKey } from './fair-quota.ts'
import { sweeper } from './sweeper.ts'

/**
 * Limits concurrency, fairly between keys: excess work waits in its key's own FIFO queue, queues are served round robin, and
 * no key gets all slots (a bulkhead for each tenant).
 */
export interface FairSemaphore {
  /** Rejects with a failure that carries a retry time if the queue is full or the wait too long. */
  run<T>(key: FairnessKey, work: () => Promise<T>): Promise<T>
  load(): { readonly running: number; readonly waiting: number }
}

export interface FairSemaphoreOptions {
  /** The bound of all queues together, itself shared fairly. */
  readonly maxWaiting?: number
  readonly waitMs?: number
}

interface Waiter {
  readonly since: number
  readonly begin: () => void
  readonly refuse: (failure: Failure) => void
}

export function fairSemaphore(concurrency: number, options: FairSemaphoreOptions = {}): FairSemaphore {
  const { maxWaiting = Number.POSITIVE_INFINITY, waitMs } = options
  const queue = new FairQueue<Waiter>({ slots: concurrency, maxWaiting, begin: (_, waiter) => waiter.begin() })
  const sweep =
    waitMs !== undefined &&
    sweeper(waitMs / 10, () => {
      for (const waiter of queue.expire(performance.now() - waitMs)) waiter.refuse(tooLate())
      return queue.waiting > 0
    })

  /** Returns undefined if the work may begin now. */
  function enter(key: FairnessKey): undefined | Promise<void> {
    if (queue.tryAcquire(key)) return undefined
    return new Promise((begin, refuse) => {
      if (!queue.enqueue(key, { since: performance.now(), begin, refuse })) refuse(tooMany())
      else if (sweep) sweep()
    })
  }

  // Not `finally`, which takes three promises: this is on the path of every request.
  const begin = <T>(key: FairnessKey, work: () => Promise<T>) =>
    work().then(
      (result) => {
        queue.release(key)
        return result
      },
      (error) => {
        queue.release(key)
        throw error
      },
    )

  return {
    run(key, work) {
      const turn = enter(key)
      return turn ? turn.then(() => begin(key, work)) : begin(key, work)
    },
    load: () => ({ running: queue.running, waiting: queue.waiting }),
  }
}

const tooLate = () => new Failure('unavailable', 'The node is overloaded: try again shortly.', { retryAfterSeconds: 1 })

const tooMany = () =>
  new Failure('rateLimited', 'Too many of your requests are already waiting: send fewer concurrently.', {
    retryAfterSeconds: 1,
  })
