import { setTimeout as delay } from 'node:timers/promises'
import type { Instance } from '../instance.ts'
import type { Autoscaler } from './autoscaler.ts'

/** An instance with this many timeouts is replaced: requests that never end may have filled it. */
const maxTimeouts = 10

/** Handles a request that timed out. If the instance had no other, it is stopped. */
export function onTimeout(scaler: Autoscaler, instance: Instance): void {
  instance.timeouts++
  if (scaler.revision.concurrency === 1) void instance.stop()
  else if (instance.timeouts >= maxTimeouts) scaler.drain(instance)
  else checkLiveness(scaler, instance)
}

/** Liveness probe: the instance gets no further requests until it has responded, and is stopped if it does not. */
export function checkLiveness(scaler: Autoscaler, instance: Instance): void {
  if (instance.isSuspect) return
  instance.isSuspect = true
  void instance.isAlive().then(async (isAlive) => {
    // An instance that is about to exit by itself reports why.
    if (!isAlive) await Promise.race([instance.ended, delay(1_000, undefined, { ref: false })])
    instance.isSuspect = false
    if (isAlive) scaler.dispatch()
    else await instance.stop()
  })
}
