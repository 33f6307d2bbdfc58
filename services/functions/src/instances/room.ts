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
}

/** How much of it one tenant may have. */
const tenantShare = 0.75

interface Waiter extends Wish {
  readonly begin: () => void
  /** An instance is about to go for it. */
  isHelped: boolean
}

/** Instances are kept warm as long as nobody else needs their memory; then the one goes that was idle for longest. */
export function openRoom({ bytes: total, waitMs, makeRoom }: RoomOptions): Room {
  const held = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let taken = 0
  const isTooMuch = ({ tenant, bytes }: Wish) => (held.get(tenant) ?? 0) + bytes > total * tenantShare
  const fits = (wish: Wish) => taken + wish.bytes <= total && !isTooMuch(wish)
  const makeRoomFor = (wish: Wish) => makeRoom(wish, isTooMuch(wish))
  const add = (tenant: string, bytes: number) => {
    taken += bytes
    const now = (held.get(tenant) ?? 0) + bytes
    if (now > 0) held.set(tenant, now)
    else held.delete(tenant)
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
        const isHelped = makeRoomFor(wish)
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
          const waiter: Waiter = { ...wish, begin, isHelped }
          waiting.add(waiter)
        })
        return
      }
      add(tenant, bytes)
    },
    give(tenant, bytes) {
      add(tenant, -bytes)
      for (const waiter of [...waiting].toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst))) {
        if (fits(waiter)) waiter.begin()
        else waiter.isHelped = makeRoomFor(waiter)
      }
    },
    look() {
      for (const waiter of waiting) if (waiter.isFirst) waiter.isHelped ||= makeRoomFor(waiter)
    },
  }
}
