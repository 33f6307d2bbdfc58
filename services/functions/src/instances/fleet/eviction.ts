import type { Instance } from '../instance.ts'
import type { Autoscaler } from './autoscaler.ts'

const maxAgeMs = 24 * 3_600_000

/** Scale-in: stops idle instances, those of a retired revision after its grace period, and replaces old ones. */
export function scaleIn(scaler: Autoscaler): void {
  const { clock, limits, onError } = scaler.host
  const now = clock.now().getTime()
  for (const instance of scaler.instances) {
    if (instance.isDraining || instance.inFlight > 0) continue
    const isIdle = now - instance.idleSince >= limits.idleMs
    const isSuperseded = scaler.isRetired && performance.now() - instance.idleAt >= limits.graceMs
    if (performance.now() - instance.startedAt > maxAgeMs) scaler.drain(instance)
    else if (isIdle || isSuperseded) void stopAboveMinimum(scaler, instance).catch(onError)
  }
}

async function stopAboveMinimum(scaler: Autoscaler, instance: Instance): Promise<void> {
  instance.isDraining = true // so that no request reaches it meanwhile
  const { leases, clock, onError } = scaler.host
  const mayStop = !scaler.keepsMinimum || (await leases.markEnding(scaler.revision, instance.id).catch(onError))
  if (mayStop) return await instance.stop()
  instance.isDraining = false
  instance.idleSince = clock.now().getTime()
  scaler.dispatch()
}

/** Returns the instance that has been idle for longest, unless the revision keeps a minimum. */
export function idlestOf({ keepsMinimum, instances }: Autoscaler): Instance | undefined {
  if (keepsMinimum) return undefined
  const idle = [...instances].filter(({ inFlight, isDraining }) => inFlight === 0 && !isDraining)
  return idle.toSorted((a, b) => a.idleAt - b.idleAt)[0]
}

/** Drains the least busy instance so that another node that waits for a lease gets its turn. */
export function yieldInstance(scaler: Autoscaler): void {
  const instances = [...scaler.instances]
  if (instances.some(({ isDraining }) => isDraining)) return
  const settled = instances.filter(({ startedAt }) => performance.now() - startedAt > scaler.host.limits.turnMs)
  const leastBusy = leastBusyOf(settled)
  if (leastBusy) scaler.drain(leastBusy)
}

/** Drains the least busy instance, also if it has requests, for a revision without any; false if too few would stay. */
export function evictOne(scaler: Autoscaler): boolean {
  const active = [...scaler.instances].filter(({ isDraining }) => !isDraining)
  const leastBusy = leastBusyOf(active)
  const minimum = scaler.keepsMinimum ? Math.max(1, scaler.revision.minInstances) : 1
  if (!leastBusy || active.length <= minimum || active.length < scaler.instances.size) return false
  scaler.drain(leastBusy)
  return true
}

const leastBusyOf = (instances: readonly Instance[]) => instances.toSorted((a, b) => a.inFlight - b.inFlight)[0]
