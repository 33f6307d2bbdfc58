import { type FairnessKey, type FairQuota, fairQuota } from './fair-quota.ts'

export interface FairQueueOptions<Waiter> {
  readonly slots: number
  /** The bound of all queues together, itself shared fairly. */
  readonly maxWaiting: number
  /** Called for a waiter whose turn it is: its key has acquired the slot. */
  readonly begin: (key: FairnessKey, waiter: Waiter) => void
}

/**
 * Slots shared fairly between keys, with one FIFO queue per key. A released slot goes to the queues round robin, until every
 * waiting key has its share.
 */
export class FairQueue<Waiter extends { readonly since: number }> {
  readonly #slots: number
  readonly #begin: FairQueueOptions<Waiter>['begin']
  readonly #running: FairQuota
  readonly #waiting: FairQuota
  /** In round-robin order: the first key is next. */
  readonly #queues = new Map<FairnessKey, Waiter[]>()

  constructor({ slots, maxWaiting, begin }: FairQueueOptions<Waiter>) {
    this.#slots = slots
    this.#begin = begin
    this.#running = fairQuota(slots)
    this.#waiting = fairQuota(maxWaiting)
  }

  get running() {
    return this.#running.inUse
  }

  get waiting() {
    return this.#waiting.inUse
  }

  /** True if the key gets a slot now: one is free within its share, and no waiter of its own is ahead. */
  tryAcquire(key: FairnessKey): boolean {
    return !this.#queues.has(key) && this.#running.acquire(key)
  }

  /** False if the key's queue is full. */
  enqueue(key: FairnessKey, waiter: Waiter): boolean {
    if (!this.#waiting.acquire(key)) return false
    const queue = this.#queues.get(key)
    if (queue) queue.push(waiter)
    else this.#queues.set(key, [waiter])
    return true
  }

  release(key: FairnessKey): void {
    this.#running.release(key)
    for (let refused = 0; refused < this.#queues.size && this.#running.inUse < this.#slots; ) {
      const next = this.#rotate()
      if (!this.#running.acquire(next)) refused++
      else {
        refused = 0
        this.#begin(next, this.#dequeue(next))
      }
    }
  }

  /** Removes and returns the waiters enqueued before a time; all of them without one. */
  expire(before: number = Number.POSITIVE_INFINITY): Waiter[] {
    const expired: Waiter[] = []
    for (const [key, queue] of [...this.#queues])
      while (queue[0] && queue[0].since < before) expired.push(this.#dequeue(key))
    return expired
  }

  /** Returns the next key and moves it to the end. */
  #rotate(): FairnessKey {
    const [[key, queue]] = this.#queues as unknown as [[FairnessKey, Waiter[]]]
    this.#queues.delete(key)
    this.#queues.set(key, queue)
    return key
  }

  #dequeue(key: FairnessKey): Waiter {
    const queue = this.#queues.get(key) as Waiter[]
    const waiter = queue.shift() as Waiter
    this.#waiting.release(key)
    if (queue.length === 0) this.#queues.delete(key)
    return waiter
  }
}
