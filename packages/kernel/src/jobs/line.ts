import type { Platform } from '../platform.ts'
import type { StartedService } from '../service.ts'
import type { Demand, Supply } from './claim.ts'
import type { Lane } from './jobs.ts'
import { type Running, runJob } from './run.ts'

/** One lane of one queue, as a worker works on it. */
export interface Line {
  /** The queue's. */
  readonly name: string
  readonly running: ReadonlyMap<string, Running>
  /** Whether there is a slot for another job. If not, `onFree` will say when there is. */
  isFree(): boolean
  demand(): Demand
  /** Runs what was claimed. Answers whether it is to be asked for more at once. */
  start(supply: Supply | undefined): boolean
}

export interface LineOptions {
  readonly service: StartedService
  readonly name: string
  readonly lane: Lane
  readonly slots: number
  /** To be called when a job has ended and others wait for its slot. */
  readonly onFree: (line: Line) => void
}

export function lineOf(platform: Platform, { service, name, lane, slots, onFree }: LineOptions): Line {
  const running = new Map<string, Running>()
  let isMore = false
  let hasEnded = false // since work was last asked for
  let after = ''

  const line: Line = {
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
      for (const claim of supply.claims) {
        const started = runJob(platform, service, name, claim)
        running.set(claim.id, started)
        void started.ended.finally(() => {
          running.delete(claim.id)
          hasEnded = true
          if (isMore) onFree(line)
        })
      }
      isMore = supply.isMore
      after = supply.after
      return supply.isCut || (isMore && hasEnded)
    },
  }
  return line
}

function byTenant(running: Iterable<Running>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { claim } of running) counts.set(claim.data.tenant, (counts.get(claim.data.tenant) ?? 0) + 1)
  return counts
}
