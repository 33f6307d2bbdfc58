import { Failure } from '../errors.ts'

export interface BatcherOptions {
  /** Unlimited by default. */
  readonly maxWaiting?: number
  /** Message for items beyond the limit. */
  readonly refusal?: string
}

/**
 * Processes items in order, one batch at a time: items that arrive meanwhile form the next batch. There is no timer, so
 * a lone item does not wait. Every item gets the result of its batch.
 */
export function batcher<Item, Answer>(
  work: (items: readonly Item[]) => Promise<Answer>,
  {
    maxWaiting = Number.POSITIVE_INFINITY,
    refusal = 'Too many requests are waiting: try again shortly.',
  }: BatcherOptions = {},
): (item: Item) => Promise<Answer> {
  let waiting: Item[] = []
  let next: Promise<Answer> | undefined // not yet started
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
