import type { Instance } from '../instance.ts'
import type { Abort } from './abort.ts'

interface Waiter {
  readonly give: (instance: Instance) => void
  readonly refuse: (error: Error) => void
}

/** Requests that wait for an instance, in the order in which they came. */
export class WaitingLine {
  readonly #waiters = new Set<Waiter>()

  get size(): number {
    return this.#waiters.size
  }

  /** Rejects with `late` after a while, and when the request is given up. */
  wait(abort: Abort, waitMs: number, late: () => Error): Promise<Instance> {
    return new Promise((resolve, reject) => {
      const settled = () => {
        clearTimeout(timer)
        abort.onAbort = undefined
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter = {
        give: (instance) => {
          settled()
          instance.inFlight++
          resolve(instance)
        },
        refuse: (error) => {
          settled()
          reject(error)
        },
      }
      const timer = setTimeout(() => waiter.refuse(late()), waitMs)
      abort.onAbort = () => waiter.refuse(new Error('given up'))
      this.#waiters.add(waiter)
    })
  }

  /** Gives out instances for as long as there is one. */
  serve(free: () => Instance | undefined): void {
    for (const waiter of this.#waiters) {
      const instance = free()
      if (!instance) return
      waiter.give(instance)
    }
  }

  refuse(error: Error): void {
    for (const waiter of this.#waiters) waiter.refuse(error)
  }
}
