/** Timeouts and bounds of the database connection. */
export interface DatabaseLimits {
  /** Concurrent connection attempts. */
  readonly attempts: number
  readonly connectMs: number
  readonly probeMs: number
  /** Pauses between two probes of a server that is down; the longer one bounds the time to recovery. */
  readonly minPauseMs: number
  readonly maxPauseMs: number
  /** A connection on which nothing arrives for this long, while it waits for a reply, is examined. */
  readonly silenceMs: number
  /** Callers that may wait for a connection, and for how long. */
  readonly maxWaiting: number
  readonly waitMs: number
  /** Connections still in use this long after close are broken off. */
  readonly closeMs: number
}

export const databaseLimits: DatabaseLimits = {
  attempts: 4,
  connectMs: 5_000,
  probeMs: 2_000,
  minPauseMs: 1_000,
  maxPauseMs: 2_000,
  silenceMs: 10_000,
  maxWaiting: 1_000,
  waitMs: 10_000,
  closeMs: 2_000,
}
