export interface FleetLimits {
  /** After which an instance without requests ends, by the platform's clock. */
  readonly idleMs: number
  /** Requests that wait for an instance. */
  readonly maxWaiting: number
  readonly waitMs: number
  /** How long an instance may take until it listens. */
  readonly startMs: number
  /** How long a revision that another one took over from still answers requests that were on their way. */
  readonly graceMs: number
  /** After which an instance makes way for another node's. */
  readonly turnMs: number
}

export const fleetLimits: FleetLimits = {
  idleMs: 15 * 60_000,
  maxWaiting: 1_000,
  waitMs: 60_000,
  startMs: 60_000,
  graceMs: 5_000,
  turnMs: 5_000,
}
