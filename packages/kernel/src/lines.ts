import { type Share, share } from './share.ts'

/** A line of waiters for every party that has any; the party whose turn is next stands first. */
export class Lines<Waiter extends { readonly since: number }> {
  readonly #lines = new Map<string, Waiter[]>()
  readonly #share: Share

  /** How many may wait, all parties together, each of them its share of it. */
  constructor(waiting: number) {
    this.#share = share(waiting)
  }

  get count() {
    return this.#lines.size
  }

  get waiting() {
    return this.#share.held
  }

  has(party: string): boolean {
    return this.#lines.has(party)
  }

  push(party: string, waiter: Waiter): boolean {
    if (!this.#share.take(party)) return false
    const line = this.#lines.get(party)
    if (line) line.push(waiter)
    else this.#lines.set(party, [waiter])
    return true
  }

  /** The party whose turn it is; the next turn is another's. */
  turn(): string {
    const [[party, line]] = this.#lines as unknown as [[string, Waiter[]]]
    this.#lines.delete(party)
    this.#lines.set(party, line)
    return party
  }

  shift(party: string): Waiter {
    const line = this.#lines.get(party) as Waiter[]
    const waiter = line.shift() as Waiter
    this.#share.give(party)
    if (line.length === 0) this.#lines.delete(party)
    return waiter
  }

  /** All of them; nobody waits any longer. */
  clear(): Waiter[] {
    return this.expire(Number.POSITIVE_INFINITY)
  }

  /** Those who have waited since before this time; they wait no longer. */
  expire(before: number): Waiter[] {
    const expired: Waiter[] = []
    for (const [party, line] of [...this.#lines])
      while (line[0] && line[0].since < before) expired.push(this.shift(party))
    return expired
  }
}
