import { setTimeout as sleep } from 'node:timers/promises'
import { Refused } from './callers.ts'
import type { Journey } from './journeys.ts'

/** One service's work: what it has acknowledged, and when. */
export class Progress {
  readonly acknowledged: number[] = []
  readonly successesMs: number[] = []
  readonly refusals: string[] = []
  attempts = 0
  lastError = ''
  readonly journey: Journey
  constructor(journey: Journey) {
    this.journey = journey
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let number = 1; !isOver(); number++) {
      while (!isOver()) {
        this.attempts++
        try {
          await this.journey.work(number)
          this.acknowledged.push(number)
          this.successesMs.push(performance.now())
          break
        } catch (error) {
          const { message, cause } = error as Error
          this.lastError = `${message} ${cause ?? ''}`
          if (error instanceof Refused && this.refusals.length < 20) this.refusals.push(message)
          await sleep(250)
        }
      }
      await sleep(this.journey.pauseMs)
    }
  }

  /** How long after a moment the service did its work again. */
  backAfterMs(momentMs: number): number {
    const next = this.successesMs.find((at) => at >= momentMs)
    return next === undefined ? Number.POSITIVE_INFINITY : next - momentMs
  }
}
