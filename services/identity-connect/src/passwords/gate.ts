import { Failure } from '@icosa/kernel'

export interface GateOptions {
  readonly atOnce: number
  /** How many may wait; who comes after them is sent away. */
  readonly waiting: number
}

/** Lets so many pieces of work run at once, the others in the order in which they came. */
export function gate({ atOnce, waiting }: GateOptions): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (running < atOnce) running++
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve))
    else
      throw new Failure('unavailable', 'Too many people sign in at once: try again shortly.', { retryAfterSeconds: 5 })
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next)
        next() // the place goes to whoever waited longest
      else running--
    }
  }
}
