import { Failure } from '@icosa/kernel'

/** The memory that a node gives to instances. */
export interface Room {
  /** Waits until there is enough. */
  take(tenant: string, bytes: number): Promise<void>
  give(tenant: string, bytes: number): void
}

export interface RoomOptions {
  readonly bytes: number
  readonly waitMs: number
  /** Ends an instance that nobody needs now, of this tenant if one is named. False if there is none. */
  readonly makeRoom: (tenant: string | undefined) => boolean
}

/** How much of it one tenant may have. */
const tenantShare = 0.75

interface Waiter {
  readonly tenant: string
  readonly bytes: number
  readonly begin: () => void
}

/** Instances are kept warm as long as nobody else needs their memory; then the one goes that was idle for longest. */
export function openRoom({ bytes: total, waitMs, makeRoom }: RoomOptions): Room {
  const held = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let taken = 0
  const isTooMuch = (tenant: string, bytes: number) => (held.get(tenant) ?? 0) + bytes > total * tenantShare
  const fits = ({ tenant, bytes }: Omit<Waiter, 'begin'>) => taken + bytes <= total && !isTooMuch(tenant, bytes)
  const add = (tenant: string, bytes: number) => {
    taken += bytes
    const now = (held.get(tenant) ?? 0) + bytes
    if (now > 0) held.set(tenant, now)
    else held.delete(tenant)
  }
  const refusal = (tenant: string, bytes: number) =>
    new Failure(
      'unavailable',
      isTooMuch(tenant, bytes)
        ? 'Your functions use all the memory of this node that one tenant may have: try again shortly.'
        : 'The memory of this node for functions is used up: try again shortly.',
      { retryAfterSeconds: 1 },
    )

  return {
    async take(tenant, bytes) {
      if (bytes > total * tenantShare)
        throw new Failure('unavailable', `This node has no room for instances of ${Math.round(bytes / 2 ** 20)} MiB.`)
      if (!fits({ tenant, bytes })) {
        makeRoom(isTooMuch(tenant, bytes) ? tenant : undefined)
        await new Promise<void>((resolve, reject) => {
          const late = setTimeout(() => {
            waiting.delete(waiter)
            reject(refusal(tenant, bytes))
          }, waitMs)
          const begin = () => {
            clearTimeout(late)
            waiting.delete(waiter)
            add(tenant, bytes)
            resolve()
          }
          const waiter: Waiter = { tenant, bytes, begin }
          waiting.add(waiter)
        })
        return
      }
      add(tenant, bytes)
    },
    give(tenant, bytes) {
      add(tenant, -bytes)
      for (const waiter of waiting) {
        if (fits(waiter)) waiter.begin()
        else makeRoom(isTooMuch(waiter.tenant, waiter.bytes) ? waiter.tenant : undefined)
      }
    },
  }
}
