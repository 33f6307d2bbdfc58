import { Failure } from '@icosa/kernel'

/** The memory that a node gives to instances. */
export interface Room {
  /** Waits until there is enough. */
  take(wish: Wish): Promise<void>
  give(tenant: string, bytes: number): void
  /** To be called from time to time: what could not make way for a first instance before may do so now. */
  look(): void
}

export interface Wish {
  readonly tenant: string
  readonly bytes: number
  /** Its revision has no instance yet: it comes before those of which there are some already. */
  readonly isFirst: boolean
}

export interface RoomOptions {
  readonly bytes: number
  readonly waitMs: number
  /**
   * Ends an instance that nobody needs now, or for a first one also a busy one; of the tenant's own if it has too much.
   * Answers whether there was one.
   */
  readonly makeRoom: (wish: Wish, fromOwn: boolean) => boolean
  /** Bytes of instances that are about to end, of all tenants or of one. */
  readonly leaving: (tenant?: string) => number
}

/** How much of it one tenant may have. */
const tenantShare = 0.75

interface Waiter extends Wish {
  readonly begin: () => void
}

/** Instances are kept warm as long as nobody else needs their memory; then the one goes that was idle for longest. */
export function openRoom({ bytes: total, waitMs, makeRoom, leaving }: RoomOptions): Room {
  const held = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let taken = 0
  const isTooMuch = ({ tenant, bytes }: Wish) => (held.get(tenant) ?? 0) + bytes > total * tenantShare
  const fits = (wish: Wish) => taken + wish.bytes <= total && !isTooMuch(wish)
  const add = (tenant: string, bytes: number) => {
    taken += bytes
    const now = (held.get(tenant) ?? 0) + bytes
    if (now > 0) held.set(tenant, now)
    else held.delete(tenant)
  }
  /** Lets waiters begin that fit. Ends an instance for each of the others, unless enough of them are about to end already. */
  const serve = () => {
    let promised = 0
    const promisedTo = new Map<string, number>()
    for (const waiter of [...waiting].toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))) {
      if (fits(waiter)) {
        waiter.begin()
        continue
      }
      const { tenant, bytes } = waiter
      const own = (promisedTo.get(tenant) ?? 0) + bytes
      promisedTo.set(tenant, own)
      promised += bytes
      const isEnough =
        taken + promised - leaving() <= total && (held.get(tenant) ?? 0) + own - leaving(tenant) <= total * tenantShare
      if (!isEnough) makeRoom(waiter, isTooMuch(waiter))
    }
  }
  const refusal = (wish: Wish) =>
    new Failure(
      'unavailable',
      isTooMuch(wish)
        ? 'Your functions use all the memory of this node that one tenant may have: try again shortly.'
        : 'The memory of this node for functions is used up: try again shortly.',
      { retryAfterSeconds: 1 },
    )

  return {
    async take(wish) {
      const { tenant, bytes } = wish
      if (bytes > total * tenantShare)
        throw new Failure('unavailable', `This node has no room for instances of ${Math.round(bytes / 2 ** 20)} MiB.`)
      if (!fits(wish)) {
        await new Promise<void>((resolve, reject) => {
          const late = setTimeout(() => {
            waiting.delete(waiter)
            reject(refusal(wish))
          }, waitMs)
          const begin = () => {
            clearTimeout(late)
            waiting.delete(waiter)
            add(tenant, bytes)
            resolve()
          }
          const waiter: Waiter = { ...wish, begin }
          waiting.add(waiter)
          serve()
        })
        return
      }
      add(tenant, bytes)
    },
    give(tenant, bytes) {
      add(tenant, -bytes)
      serve()
    },
    look: serve,
  }
}
