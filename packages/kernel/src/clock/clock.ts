/** The only source of the time of day. Nothing else calls `Date.now()`, so that one clock can move everything. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
