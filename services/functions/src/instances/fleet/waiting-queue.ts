import type { Instance } from '../instance.ts'
import type { Abort } from '../requests/abort.ts'

interface Waiter {
  readonly resolve: (instance: Instance) => void
  readonly reject: (error: Error) => void
}

/** FIFO queue of requests that wait for an instance. */
export class WaitingQueue {
  readonly #waiters = new Set<Waiter>()

  get size(): number {
    return this.#waiters.size
  }

  /** Rejects with `timeoutError` after `waitMs`, and at once when the request is aborted. */
  wait(abort: Abort, waitMs: number, timeoutError: () => Error): Promise<Instance> {
    return new Promise((resolve, reject) => {
      const dequeue = () => {
        clearTimeout(timer)
        abort.onAbort = undefined
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter = {
        resolve: (instance) => {
          dequeue()
          instance.inFlight++
          resolve(instance)
        },
        reject: (error) => {
          dequeue()
          reject(error)
        },
      }
      const timer = setTimeout(() => waiter.reject(timeoutError()), waitMs)
      abort.onAbort = () => waiter.reject(new Error('aborted'))
      this.#waiters.add(waiter)
    })
  }

  /** Assigns instances until the queue or the supply of `available` is empty. */
  dispatch(available: () => Instance | undefined): void {
    for (const waiter of this.#waiters) {
      const instance = available()
      if (!instance) return
      waiter.resolve(instance)
    }
  }

  rejectAll(error: Error): void {
    for (const waiter of this.#waiters) waiter.reject(error)
  }
}
