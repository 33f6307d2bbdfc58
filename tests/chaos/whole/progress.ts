import { setTimeout as sleep } from 'node:timers/promises'
import { Refused } from './callers.ts'
import type { Journey } from './journeys.ts'

/** One service's units of work: those acknowledged, and when they began and ended. */
export class Progress {
  readonly acknowledged: number[] = []
  readonly successes: { readonly beganMs: number; readonly endedMs: number }[] = []
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
        const beganMs = performance.now()
        try {
          await this.journey.work(number)
          this.acknowledged.push(number)
          this.successes.push({ beganMs, endedMs: performance.now() })
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

  /** Time from a moment to the start of the next successful unit; its end may be delayed by the next fault. */
  backAfterMs(momentMs: number): number {
    const next = this.successes.find(({ endedMs }) => endedMs >= momentMs)
    return next === undefined ? Number.POSITIVE_INFINITY : Math.max(0, next.beganMs - momentMs)
  }

  get maxUnitMs(): number {
    return Math.max(0, ...this.successes.map(({ beganMs, endedMs }) => endedMs - beganMs))
  }
}
