import type { Platform } from '../platform.ts'
import type { StartedService } from '../service.ts'
import type { Claim, Claimed, Demand } from './claim.ts'
import type { Lane } from './jobs.ts'
import { type Running, runJob } from './run.ts'

/** One lane of one queue on a worker: its running jobs and free slots. */
export interface QueueLane {
  /** Queue name. */
  readonly name: string
  readonly running: ReadonlyMap<string, Running>
  /** True if a slot is free. Otherwise `onFree` is called once one is. */
  isFree(): boolean
  demand(): Demand
  /** Runs the claimed jobs. Returns true if more should be claimed immediately. */
  start(claimed: Claimed | undefined): boolean
}

export interface QueueLaneOptions {
  readonly service: StartedService
  readonly lane: Lane
  readonly slots: number
  /** Called with the claims before their jobs begin. */
  readonly onClaimed: (claims: readonly Claim[]) => void
  /** Called when a job has ended and others wait for its slot. */
  readonly onFree: (lane: QueueLane) => void
}

export function queueLane(
  platform: Platform,
  { service, lane, slots, onClaimed, onFree }: QueueLaneOptions,
): QueueLane {
  const running = new Map<string, Running>()
  let isMore = false
  let hasEnded = false // since the last demand
  let after = ''

  const own: QueueLane = {
    name: service.name,
    running,
    isFree() {
      isMore ||= running.size >= slots // nothing is claimed meanwhile, so more may have come
      return running.size < slots
    },
    demand() {
      hasEnded = false
      return { queue: service.name, lane, free: slots - running.size, running: byTenant(running.values()), after }
    },
    start(claimed) {
      if (!claimed) return false
      onClaimed(claimed.claims)
      for (const claim of claimed.claims) {
        const started = runJob(platform, service, claim)
        running.set(claim.id, started)
        void started.ended.finally(() => {
          running.delete(claim.id)
          hasEnded = true
          if (isMore) onFree(own)
        })
      }
      isMore = claimed.isMore
      after = claimed.after
      return claimed.isCut || (isMore && hasEnded)
    },
  }
  return own
}

function byTenant(running: Iterable<Running>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { claim } of running) counts.set(claim.payload.tenant, (counts.get(claim.payload.tenant) ?? 0) + 1)
  return counts
}
