import type { CallName } from '../calls.ts'

/** What a token's process is asked, some at a time; answers may come in another order. */
export interface Asked {
  readonly turn: number
  readonly call: CallName
  readonly given: unknown
}

export interface Told {
  readonly turn: number
  readonly value?: unknown
  readonly error?: {
    readonly message: string
    readonly kind?: string
    /** Of the library, as a number of PKCS#11. */
    readonly answer?: number
  }
}

/**
 * Sends what comes within one turn of the event loop as one message: a message costs more than a signature by a curve.
 */
export function bundled<Item>(send: (items: readonly Item[]) => void): (item: Item) => void {
  let items: Item[] = []
  return (item) => {
    if (items.push(item) > 1) return
    setImmediate(() => {
      const all = items
      items = []
      send(all)
    })
  }
}
