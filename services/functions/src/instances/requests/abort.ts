/** Why a request is given up: its time is over, or nobody waits for its answer any more. */
export type Reason = 'time' | 'caller'

/** As an AbortSignal, for one listener at a time: this is on the path of every request, where those cost microseconds. */
export class Abort {
  reason: Reason | undefined
  onAbort: (() => void) | undefined

  abort(reason: Reason): void {
    if (this.reason !== undefined) return
    this.reason = reason
    this.onAbort?.()
  }
}
