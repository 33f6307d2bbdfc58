import { assert } from '../assert.ts'
import { Failure } from '../errors.ts'

export interface FifoGateOptions {
  /** How many may wait; who comes after them is sent away. */
  readonly maxWaiting?: number
  /** How long they may wait. */
  readonly waitMs?: number
  /** The message of the failure for those who are sent away. */
  readonly refusal?: string
}

export type FifoGate = <T>(work: () => Promise<T>) => Promise<T>

/** Lets so many pieces of work run at once, the others in the order in which they came. */
export function fifoGate(atOnce: number, options: FifoGateOptions = {}): FifoGate {
  const {
    maxWaiting = Number.POSITIVE_INFINITY,
    waitMs,
    refusal = 'Too many requests at once: try again shortly.',
  } = options
  const refused = () => new Failure('unavailable', refusal, { retryAfterSeconds: 5 })
  let running = 0
  const queue = new Set<() => void>()

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      queue.add(enter)
      if (waitMs === undefined) return
      timer = setTimeout(() => {
        queue.delete(enter)
        reject(refused())
      }, waitMs)
    })
  }

  return async (work) => {
    if (running < atOnce) running++
    else if (queue.size < maxWaiting) await turn()
    else throw refused()
    assert(running <= atOnce, 'More runs than may run at once.')
    try {
      return await work()
    } finally {
      const [next] = queue
      if (next) {
        queue.delete(next)
        next() // the place goes to whoever waited longest
      } else running--
    }
  }
}

/** A gate for each key, as long as somebody is at it: a tenant that sends much waits for its own work only. */
export function fifoGatePerKey(
  atOnce: number,
  options: FifoGateOptions = {},
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const open = new Map<string, { readonly pass: FifoGate; count: number }>()
  return async (key, work) => {
    const own = open.get(key) ?? { pass: fifoGate(atOnce, options), count: 0 }
    open.set(key, own)
    own.count++
    try {
      return await own.pass(work)
    } finally {
      own.count--
      if (own.count === 0) open.delete(key)
    }
  }
}
