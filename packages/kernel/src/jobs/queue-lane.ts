import type { Platform } from '../platform.ts'
import type { StartedService } from '../service.ts'
import type { Claim, Demand, Supply } from './claim.ts'
import type { Lane } from './jobs.ts'
import { type Running, runJob } from './run.ts'

/** One lane of one queue: what a worker runs of it, and how many slots are free. */
export interface QueueLane {
  /** The queue's. */
  readonly name: string
  readonly running: ReadonlyMap<string, Running>
  /** Whether there is a slot for another job. If not, `onFree` will say when there is. */
  isFree(): boolean
  demand(): Demand
  /** Runs what was claimed. Answers whether it is to be asked for more at once. */
  start(supply: Supply | undefined): boolean
}

export interface QueueLaneOptions {
  readonly service: StartedService
  readonly name: string
  readonly lane: Lane
  readonly slots: number
  /** To be called with what was claimed, before it begins. */
  readonly onClaimed: (claims: readonly Claim[]) => void
  /** To be called when a job has ended and others wait for its slot. */
  readonly onFree: (lane: QueueLane) => void
}

export function queueLane(
  platform: Platform,
  { service, name, lane, slots, onClaimed, onFree }: QueueLaneOptions,
): QueueLane {
  const running = new Map<string, Running>()
  let isMore = false
  let hasEnded = false // since work was last asked for
  let after = ''

  const own: QueueLane = {
    name,
    running,
    isFree() {
      isMore ||= running.size >= slots // nobody looks, so there may be something
      return running.size < slots
    },
    demand() {
      hasEnded = false
      return { queue: name, lane, free: slots - running.size, running: byTenant(running.values()), after }
    },
    start(supply) {
      if (!supply) return false
      onClaimed(supply.claims)
      for (const claim of supply.claims) {
        const started = runJob(platform, service, claim)
        running.set(claim.id, started)
        void started.ended.finally(() => {
          running.delete(claim.id)
          hasEnded = true
          if (isMore) onFree(own)
        })
      }
      isMore = supply.isMore
      after = supply.after
      return supply.isCut || (isMore && hasEnded)
    },
  }
  return own
}

function byTenant(running: Iterable<Running>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { claim } of running) counts.set(claim.data.tenant, (counts.get(claim.data.tenant) ?? 0) + 1)
  return counts
}
