import type { Clock, FairSemaphore } from '@icosa/kernel'
import type { Revision } from '../revision.ts'
import { type Instance, type InstanceHost, startInstance } from './instance.ts'
import type { Leases } from './leases.ts'
import type { MemoryBudget } from './memory-budget.ts'

export interface LaunchHost extends InstanceHost {
  readonly leases: Leases
  readonly memory: MemoryBudget
  readonly clock: Clock
  /** Limits concurrent starts, fairly between tenants. */
  readonly starts: FairSemaphore
}

export interface Launched {
  readonly instance: Instance
  /** Resolves when the instance has ended and its lease and memory are free. */
  readonly released: Promise<void>
}

export interface LaunchOptions {
  readonly max: number
  /** Whether the revision has no instance on this node yet. */
  readonly isFirst: boolean
  /** Evaluated just before the start: other instances may have served the queue by then. */
  readonly isNeeded: () => boolean
}

/**
 * Starts an instance with a lease and reserved memory. Returns undefined if the cell is at the maximum, or if the instance is
 * no longer needed.
 */
export async function launch(
  host: LaunchHost,
  revision: Revision,
  { max, isFirst, isNeeded }: LaunchOptions,
): Promise<Launched | undefined> {
  const { leases, memory, starts, clock } = host
  const { tenant, memoryBytes } = revision
  const id = await leases.acquire(revision, max)
  if (id === undefined) return undefined
  let hasMemory = false
  const release = async () => {
    if (hasMemory) memory.release(tenant, memoryBytes)
    await leases.release(revision, id)
  }
  let instance: Instance | undefined
  try {
    await memory.reserve({ tenant, bytes: memoryBytes, isFirst })
    hasMemory = true
    instance = await starts.run(tenant, async () =>
      isNeeded() ? await startInstance(host, revision, id, clock.now().getTime()) : undefined,
    )
  } catch (error) {
    await release()
    throw error
  }
  if (instance) return { instance, released: instance.ended.then(release) }
  await release()
  return undefined
}
