/** A monthly price. */
export interface Fee {
  readonly of: 'account' | 'card'
  readonly cents: bigint
}

/** Accounts in other currencies are free. */
export const currency = 'EUR'

/** A line of an invoice, with its price: later price changes do not affect it. */
export interface Charged {
  readonly of: Fee['of']
  readonly quantity: number
  /** Unit price in cents. */
  readonly unit: string
}

export function chargedFor(fees: readonly Fee[], cards: number): Charged[] {
  return fees.flatMap(({ of, cents }) => {
    const quantity = of === 'account' ? 1 : cards
    return quantity === 0 ? [] : [{ of, quantity, unit: String(cents) }]
  })
}

export const totalOf = (charged: readonly Charged[]): bigint =>
  charged.reduce((sum, { quantity, unit }) => sum + BigInt(quantity) * BigInt(unit), 0n)

/** A calendar month in UTC. */
export interface Month {
  readonly name: string
  readonly end: Date
}

/** The last month that has ended. */
export function monthBefore(now: Date): Month {
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
  return { name: new Date(end.getTime() - 1).toISOString().slice(0, 7), end }
}
