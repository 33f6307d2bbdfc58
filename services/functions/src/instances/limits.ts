export interface FleetLimits {
  /** Idle time after which an instance is stopped, by the platform's clock. */
  readonly idleMs: number
  /** Length of the queue for an instance. */
  readonly maxWaiting: number
  readonly waitMs: number
  /** Cold start timeout: how long an instance may take until it listens. */
  readonly startMs: number
  /** How long a retired revision still serves requests that were routed to it. */
  readonly graceMs: number
  /** Minimum running time before an instance yields its lease to another node. */
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
