/**
 * `latency`: the answer is late. `error`, `throttle`: it is a failure, and nothing was done. `drop`: the connection is lost
 * before anything is done. `dropReply`: it is lost after everything was done. `stop`: long-running work loses its worker.
 */
export const faultKinds = ['latency', 'error', 'throttle', 'drop', 'dropReply', 'stop'] as const
export type FaultKind = (typeof faultKinds)[number]

/** What somebody wants to go wrong. */
export interface FaultRequest {
  /** `backup:StartBackupJob`, `backup:List*`, `*`: operations, or jobs where no operation is called so. */
  readonly target: string
  readonly kind: FaultKind
  /** Of how many calls, from 0 to 1; all of them if nothing is said. */
  readonly share?: number | undefined
  /** After how many of them it ends. */
  readonly times?: number | undefined
  /** How long a `latency` is. */
  readonly delayMs?: number | undefined
  /** The `error`, as the dialect of the operation names it, or its HTTP status. */
  readonly code?: string | undefined
  /** What a `throttle` says; 1 if nothing is said. */
  readonly retryAfterSeconds?: number | undefined
  /** How long work goes on before its `stop`. */
  readonly afterMs?: number | undefined
  /** The same seed chooses the same calls; 1 if nothing is said. */
  readonly seed?: number | undefined
}

/** A fault as it is in force. */
export interface Fault extends FaultRequest {
  readonly id: string
  readonly share: number
  readonly seed: number
  readonly on: 'requests' | 'jobs'
  /** How many calls it looked at, and how many of them it befell. */
  readonly seen: number
  readonly hit: number
}
