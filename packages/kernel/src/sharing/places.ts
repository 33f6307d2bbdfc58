import { type Party, type Share, share } from './share.ts'

export interface PlacesOptions<Waiter> {
  readonly places: number
  /** How many may wait, all parties together, each of them its share of it. */
  readonly maxWaiting: number
  /** Called for a waiter whose turn it is: its party has the place. */
  readonly begin: (party: Party, waiter: Waiter) => void
}

/**
 * Places that parties share, and a line of waiters for every party that found none. Places that become free go to the
 * lines by turns, until every party that waits has its share.
 */
export class Places<Waiter extends { readonly since: number }> {
  readonly #places: number
  readonly #begin: PlacesOptions<Waiter>['begin']
  readonly #taken: Share
  readonly #room: Share
  /** The party whose turn is next stands first. */
  readonly #lines = new Map<Party, Waiter[]>()

  constructor({ places, maxWaiting, begin }: PlacesOptions<Waiter>) {
    this.#places = places
    this.#begin = begin
    this.#taken = share(places)
    this.#room = share(maxWaiting)
  }

  /** How many are taken. */
  get taken() {
    return this.#taken.held
  }

  get waiting() {
    return this.#room.held
  }

  /** Whether the party has a place at once: there is one within its share, and none of its own waits for it. */
  take(party: Party): boolean {
    return !this.#lines.has(party) && this.#taken.take(party)
  }

  /** False if the party's line is full. */
  wait(party: Party, waiter: Waiter): boolean {
    if (!this.#room.take(party)) return false
    const line = this.#lines.get(party)
    if (line) line.push(waiter)
    else this.#lines.set(party, [waiter])
    return true
  }

  leave(party: Party): void {
    this.#taken.give(party)
    for (let refused = 0; refused < this.#lines.size && this.#taken.held < this.#places; ) {
      const next = this.#turn()
      if (!this.#taken.take(next)) refused++
      else {
        refused = 0
        this.#begin(next, this.#shift(next))
      }
    }
  }

  /** Those who have waited since before this time; they wait no longer. Without a time, all of them. */
  expire(before: number = Number.POSITIVE_INFINITY): Waiter[] {
    const expired: Waiter[] = []
    for (const [party, line] of [...this.#lines])
      while (line[0] && line[0].since < before) expired.push(this.#shift(party))
    return expired
  }

  /** The party whose turn it is; the next turn is another's. */
  #turn(): Party {
    const [[party, line]] = this.#lines as unknown as [[Party, Waiter[]]]
    this.#lines.delete(party)
    this.#lines.set(party, line)
    return party
  }

  #shift(party: Party): Waiter {
    const line = this.#lines.get(party) as Waiter[]
    const waiter = line.shift() as Waiter
    this.#room.give(party)
    if (line.length === 0) this.#lines.delete(party)
    return waiter
  }
}
