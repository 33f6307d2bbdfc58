import { Failure } from './errors.ts'

export interface GateOptions {
  /** How many may wait; who comes after them is sent away. */
  readonly waiting?: number
  /** What they are told. */
  readonly full?: string
}

/** Lets so many pieces of work run at once, the others in the order in which they came. */
export function gate(atOnce: number, options: GateOptions = {}): <T>(work: () => Promise<T>) => Promise<T> {
  const { waiting = Number.POSITIVE_INFINITY, full = 'Too much at once: try again shortly.' } = options
  let running = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (running < atOnce) running++
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve))
    else throw new Failure('unavailable', full, { retryAfterSeconds: 5 })
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
