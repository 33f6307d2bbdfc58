import type { Pkcs11 } from '@icosa/pkcs11'

/** Number of sessions, and so of concurrent calls. */
const concurrency = 4

export interface Sessions {
  /** For short synchronous calls. */
  readonly own: number
  any<T>(work: (session: number) => Promise<T>): Promise<T>
  /** Runs sequentially. */
  alone<T>(work: (session: number) => Promise<T>): Promise<T>
}

export function openSessions(pkcs11: Pkcs11, slot: number, pin: string): Sessions {
  const own = pkcs11.openSession(slot)
  pkcs11.login(own, 'user', pin)
  const idle = Array.from({ length: concurrency }, () => pkcs11.openSession(slot))
  const waiting: (() => void)[] = []
  let last: Promise<unknown> = Promise.resolve()

  async function any<T>(work: (session: number) => Promise<T>): Promise<T> {
    while (idle.length === 0) await new Promise<void>((resolve) => void waiting.push(resolve))
    const session = idle.pop() as number
    try {
      return await work(session)
    } finally {
      idle.push(session)
      waiting.shift()?.()
    }
  }
  return {
    own,
    any,
    alone(work) {
      const turn = last.then(() => any(work))
      last = turn.catch(() => {})
      return turn
    },
  }
}
