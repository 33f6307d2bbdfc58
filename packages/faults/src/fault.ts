/**
 * `latency`: the response is late. `error`, `throttle`: the request fails and has no effect. `drop`: the connection is lost
 * before the request is processed. `dropReply`: it is lost afterwards. `stop`: a job loses its worker.
 */
export const faultKinds = ['latency', 'error', 'throttle', 'drop', 'dropReply', 'stop'] as const
export type FaultKind = (typeof faultKinds)[number]

/** A fault as requested. */
export interface FaultRequest {
  /** `backup:StartBackupJob`, `backup:List*`, `*`: operations, or jobs if no operation has that name. */
  readonly target: string
  readonly kind: FaultKind
  /** Fraction of calls, 1 by default. */
  readonly share?: number | undefined
  /** Number of hits after which it ends. */
  readonly times?: number | undefined
  /** Duration of a `latency`. */
  readonly delayMs?: number | undefined
  /** The `error`, as the dialect of the operation names it, or its HTTP status. */
  readonly code?: string | undefined
  /** Retry-After of a `throttle`, 1 by default. */
  readonly retryAfterSeconds?: number | undefined
  /** Time before a `stop`. */
  readonly afterMs?: number | undefined
  /** The same seed chooses the same calls; 1 by default. */
  readonly seed?: number | undefined
}

/** An active fault. */
export interface Fault extends FaultRequest {
  readonly id: string
  readonly share: number
  readonly seed: number
  readonly on: 'requests' | 'jobs'
  /** Number of calls that matched, and of those that failed. */
  readonly seen: number
  readonly hit: number
}
