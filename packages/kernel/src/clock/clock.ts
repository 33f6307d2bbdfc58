/** A source of the time of day. Code asks the platform's clock, so that one clock can move everything. */
export interface Clock {
  now(): Date
}

/** This machine's own clock, which may be wrong: only for comparison with the times of files on this machine. */
export const machineClock: Clock = { now: () => new Date() }
