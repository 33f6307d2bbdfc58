import type { CallName } from '../calls.ts'

/** A call of a token's process. Responses may arrive in another order. */
export interface Request {
  readonly id: number
  readonly call: CallName
  readonly input: unknown
}

export interface Response {
  readonly id: number
  readonly value?: unknown
  readonly error?: {
    readonly message: string
    readonly kind?: string
    /** PKCS#11 return value of the library. */
    readonly answer?: number
  }
}

/** Sends all items of one event loop turn as one message: a message costs more than an EC signature. */
export function bundled<Item>(send: (items: readonly Item[]) => void): (item: Item) => void {
  let items: Item[] = []
  return (item) => {
    if (items.push(item) > 1) return
    setImmediate(() => {
      const batch = items
      items = []
      send(batch)
    })
  }
}
