import { assert } from '../assert.ts'
import { Failure } from '../errors.ts'

export interface SemaphoreOptions {
  /** Work beyond this queue length is refused. */
  readonly maxWaiting?: number
  readonly waitMs?: number
  /** The message of the refusal. */
  readonly refusal?: string
}

export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** Limits concurrency; excess work waits in FIFO order. */
export function semaphore(concurrency: number, options: SemaphoreOptions = {}): Semaphore {
  const {
    maxWaiting = Number.POSITIVE_INFINITY,
    waitMs,
    refusal = 'Too many concurrent requests: try again shortly.',
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
    if (running < concurrency) running++
    else if (queue.size < maxWaiting) await turn()
    else throw refused()
    assert(running <= concurrency, 'More work runs than the semaphore allows.')
    try {
      return await work()
    } finally {
      const [next] = queue
      if (next) {
        queue.delete(next)
        next() // takes over the slot
      } else running--
    }
  }
}

/** One semaphore per key while it is in use: a tenant that sends much waits only for its own work. */
export function semaphorePerKey(
  concurrency: number,
  options: SemaphoreOptions = {},
): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const open = new Map<string, { readonly run: Semaphore; users: number }>()
  return async (key, work) => {
    const own = open.get(key) ?? { run: semaphore(concurrency, options), users: 0 }
    open.set(key, own)
    own.users++
    try {
      return await own.run(work)
    } finally {
      own.users--
      if (own.users === 0) open.delete(key)
    }
  }
}
