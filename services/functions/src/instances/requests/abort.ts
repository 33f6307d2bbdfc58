/** Why a request is aborted: it timed out, or its caller has disconnected. */
export type Reason = 'timeout' | 'caller'

/** Like AbortController, for one listener at a time: on the hot path, an AbortSignal costs microseconds. */
export class Abort {
  reason: Reason | undefined
  onAbort: (() => void) | undefined

  abort(reason: Reason): void {
    if (this.reason !== undefined) return
    this.reason = reason
    this.onAbort?.()
  }
}
