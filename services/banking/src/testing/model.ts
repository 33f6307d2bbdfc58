/** What a bank should do, in a few lines and in memory: the real one is compared with it. Amounts in cents. */
export interface Hold {
  readonly who: number
  readonly amount: number
  readonly id: string
  /** On which it counts against the limit of the card. */
  readonly day: string
}
export interface Asked {
  readonly from: number
  readonly to: number
  readonly amount: number
}
export interface Scheduled extends Asked {
  /** In hours since the beginning. */
  readonly at: number
}

export class BankModel {
  readonly balances: number[]
  readonly holds: Hold[] = []
  readonly asked: Asked[] = []
  readonly scheduled: Scheduled[] = []
  /** What each card has spent, by the day. */
  readonly spent = new Map<string, number>()
  hours = 0

  constructor(customers: number, amount: number) {
    this.balances = Array.from({ length: customers }, () => amount)
  }

  available(who: number): number {
    const held = this.holds.reduce((sum, hold) => sum + (hold.who === who ? hold.amount : 0), 0)
    return (this.balances[who] as number) - held
  }

  /** Whether it can be paid; if so, it is. */
  pay(from: number, to: number | undefined, amount: number): boolean {
    if (this.available(from) < amount) return false
    this.balances[from] = (this.balances[from] as number) - amount
    if (to !== undefined) this.balances[to] = (this.balances[to] as number) + amount
    return true
  }

  /** An hour passes, and what is due is paid if it can be. */
  pass(): void {
    this.hours++
    const due = this.scheduled.findIndex(({ at }) => at === this.hours)
    const [one] = due < 0 ? [] : this.scheduled.splice(due, 1)
    if (one) this.pay(one.from, one.to, one.amount)
  }
}
