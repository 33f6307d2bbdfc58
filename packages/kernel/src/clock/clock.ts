/** Time source. Code asks the platform's clock, so that moving one clock moves everything. */
export interface Clock {
  now(): Date
}

/** This machine's clock, which may be wrong: only for comparison with local file times. */
export const machineClock: Clock = { now: () => new Date() }
