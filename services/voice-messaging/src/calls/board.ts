import type { Room } from './store.ts'

/** The calls of one node. A call needs no worker's slot of its own: one job has all of them in its hands. */
export interface Board {
  /** How many there are of each tenant. */
  readonly held: Map<string, number>
  /** Whose was taken last. */
  last: string
  /** Of the job that takes calls: says that there are some. */
  wake: (() => void) | undefined
}

export const newBoard = (): Board => ({ held: new Map(), last: '', wake: undefined })

export function count({ held }: Board, tenant: string, change: 1 | -1): void {
  const calls = (held.get(tenant) ?? 0) + change
  if (calls > 0) held.set(tenant, calls)
  else held.delete(tenant)
}

export function roomOn({ held, last }: Board, callsAtOnce: number): Room {
  const free = [...held.values()].reduce((left, calls) => left - calls, callsAtOnce)
  return { free, held, after: last }
}
