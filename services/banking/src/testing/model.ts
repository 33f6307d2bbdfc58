export interface Hold {
  readonly who: number
  readonly amount: number
  readonly id: string
  /** The day whose card limit it counts against. */
  readonly day: string
}
export interface Transfer {
  readonly from: number
  readonly to: number
  readonly amount: number
}
export interface Scheduled extends Transfer {
  /** In hours since the start. */
  readonly at: number
}

/** An in-memory model of a bank, with which the real one is compared. Amounts in cents. */
export class BankModel {
  readonly balances: number[]
  readonly holds: Hold[] = []
  readonly requests: Transfer[] = []
  readonly scheduled: Scheduled[] = []
  /** Spent by card and day. */
  readonly spent = new Map<string, number>()
  hours = 0

  constructor(customers: number, amount: number) {
    this.balances = Array.from({ length: customers }, () => amount)
  }

  available(who: number): number {
    const reserved = this.holds.reduce((sum, hold) => sum + (hold.who === who ? hold.amount : 0), 0)
    return (this.balances[who] as number) - reserved
  }

  /** Returns whether the balance suffices; if so, pays. */
  pay(from: number, to: number | undefined, amount: number): boolean {
    if (this.available(from) < amount) return false
    this.balances[from] = (this.balances[from] as number) - amount
    if (to !== undefined) this.balances[to] = (this.balances[to] as number) + amount
    return true
  }

  /** Advances by an hour, and makes due payments. */
  pass(): void {
    this.hours++
    const due = this.scheduled.findIndex(({ at }) => at === this.hours)
    const [payment] = due < 0 ? [] : this.scheduled.splice(due, 1)
    if (payment) this.pay(payment.from, payment.to, payment.amount)
  }
}
