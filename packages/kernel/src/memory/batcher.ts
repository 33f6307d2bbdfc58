import { Failure } from '../errors.ts'

export interface BatcherOptions {
  /** How many items may wait; any number, if nothing is said. */
  readonly maxWaiting?: number
  /** The message of the failure for those who come beyond it. */
  readonly refusal?: string
}

/**
 * Does something with items in the order in which they come, one batch at a time: while it works on some, others collect,
 * and are the next batch. There is no timer, so nobody waits who is alone. Everybody gets the answer of their batch.
 */
export function batcher<Item, Answer>(
  work: (items: readonly Item[]) => Promise<Answer>,
  {
    maxWaiting = Number.POSITIVE_INFINITY,
    refusal = 'Too many requests are waiting: try again shortly.',
  }: BatcherOptions = {},
): (item: Item) => Promise<Answer> {
  let waiting: Item[] = []
  let next: Promise<Answer> | undefined // which has not begun
  let last: Promise<unknown> = Promise.resolve()

  function begin(): Promise<Answer> {
    const items = waiting
    waiting = []
    next = undefined
    return work(items)
  }

  return (item) => {
    if (waiting.length >= maxWaiting) throw new Failure('unavailable', refusal, { retryAfterSeconds: 1 })
    waiting.push(item)
    if (!next) {
      next = last.then(begin, begin)
      last = next
    }
    return next
  }
}
