/** How long we are patient with the database, and how many may wait for it. */
export interface DatabaseLimits {
  /** How many connections are made at the same time. */
  readonly attempts: number
  /** A connection that is not made by then is given up. */
  readonly connectMs: number
  /** So long a probe waits for an answer. */
  readonly probeMs: number
  /** Between two probes of a server that is away; the longest is part of how soon we are back. */
  readonly shortestPauseMs: number
  readonly longestPauseMs: number
  /** Connections that have heard nothing for so long since the server fell silent are dead, though they do not know it. */
  readonly silenceMs: number
  /** How many callers may wait for a connection, and how long. */
  readonly maxWaiting: number
  readonly waitMs: number
  /** What is still in use so long after the database was closed is broken off. */
  readonly closeMs: number
}

export const databaseLimits: DatabaseLimits = {
  attempts: 4,
  connectMs: 5_000,
  probeMs: 2_000,
  shortestPauseMs: 1_000,
  longestPauseMs: 2_000,
  silenceMs: 10_000,
  maxWaiting: 1_000,
  waitMs: 10_000,
  closeMs: 2_000,
}
