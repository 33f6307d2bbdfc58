import { isWithinShare } from './share.ts'

/** Runs a tenant's work when there is a place for it. */
export type FairGate = <T>(tenant: string, work: () => Promise<T>) => Promise<T>

/**
 * Lets so many pieces of work run at once. Tenants share the places: whoever has the fewest is next, and nobody gets all of
 * them. A tenant's own work runs in the order in which it came.
 */
export function fairGate(places: number): FairGate {
  const held = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()
  let free = places
  const heldBy = (tenant: string) => held.get(tenant) ?? 0

  function take(tenant: string): void {
    free--
    held.set(tenant, heldBy(tenant) + 1)
  }

  function giveBack(tenant: string): void {
    free++
    const left = heldBy(tenant) - 1
    if (left > 0) held.set(tenant, left)
    else held.delete(tenant)
  }

  /** Lets in whoever may come in now; those that hold as many by turns. */
  function letIn(): void {
    for (;;) {
      let next: string | undefined
      for (const tenant of waiting.keys()) if (next === undefined || heldBy(tenant) < heldBy(next)) next = tenant
      if (next === undefined || !isWithinShare(heldBy(next), free)) return
      const line = waiting.get(next) ?? []
      const first = line.shift()
      waiting.delete(next)
      if (line.length > 0) waiting.set(next, line) // behind the others
      take(next)
      first?.()
    }
  }

  return async (tenant, work) => {
    await new Promise<void>((resolve) => {
      const line = waiting.get(tenant)
      if (line) line.push(resolve)
      else waiting.set(tenant, [resolve])
      letIn()
    })
    try {
      return await work()
    } finally {
      giveBack(tenant)
      letIn()
    }
  }
}
