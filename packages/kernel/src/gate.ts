import { Failure } from './errors.ts'

export interface GateOptions {
  /** How many may wait; who comes after them is sent away. */
  readonly waiting?: number
  /** How long they may wait. */
  readonly patienceMs?: number
  /** What those are told who are sent away. */
  readonly full?: string
}

export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** Lets so many pieces of work run at once, the others in the order in which they came. */
export function gate(atOnce: number, options: GateOptions = {}): Gate {
  const { waiting = Number.POSITIVE_INFINITY, patienceMs, full = 'Too much at once: try again shortly.' } = options
  const refusal = () => new Failure('unavailable', full, { retryAfterSeconds: 5 })
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
      if (patienceMs === undefined) return
      timer = setTimeout(() => {
        queue.delete(enter)
        reject(refusal())
      }, patienceMs)
    })
  }

  return async (work) => {
    if (running < atOnce) running++
    else if (queue.size < waiting) await turn()
    else throw refusal()
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

/** A gate for each key, as long as somebody is at it: a tenant that sends much waits for itself. */
export function gates(
  atOnce: number,
  options: GateOptions = {},
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const open = new Map<string, { readonly pass: Gate; count: number }>()
  return async (key, work) => {
    const own = open.get(key) ?? { pass: gate(atOnce, options), count: 0 }
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
