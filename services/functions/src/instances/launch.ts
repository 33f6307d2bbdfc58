import type { Clock, FairSemaphore } from '@icosa/kernel'
import type { Revision } from '../revision.ts'
import { type Instance, type InstanceHost, startInstance } from './instance.ts'
import type { Leases } from './leases.ts'
import type { Room } from './room.ts'

export interface LaunchHost extends InstanceHost {
  readonly leases: Leases
  readonly room: Room
  readonly clock: Clock
  /** Starts that go on at once, shared between tenants. */
  readonly starts: FairSemaphore
}

export interface Launched {
  readonly instance: Instance
  /** When it has ended, and another one may be in its place. */
  readonly gone: Promise<void>
}

export interface LaunchOptions {
  readonly max: number
  /** There is none of its revision yet. */
  readonly isFirst: boolean
  /** Asked when it is about to start: by then those who waited for it may have been served by others. */
  readonly isNeeded: () => boolean
}

/**
 * Starts an instance, with its lease and its memory. Undefined if the cell has as many as there may be, or if it is not
 * needed any more.
 */
export async function launch(
  host: LaunchHost,
  revision: Revision,
  { max, isFirst, isNeeded }: LaunchOptions,
): Promise<Launched | undefined> {
  const { leases, room, starts, clock } = host
  const { tenant, memoryBytes } = revision
  const id = await leases.take(revision, max)
  if (id === undefined) return undefined
  let hasRoom = false
  const undo = async () => {
    if (hasRoom) room.give(tenant, memoryBytes)
    await leases.release(revision, id)
  }
  let instance: Instance | undefined
  try {
    await room.take({ tenant, bytes: memoryBytes, isFirst })
    hasRoom = true
    instance = await starts.run(tenant, async () =>
      isNeeded() ? await startInstance(host, revision, id, clock.now().getTime()) : undefined,
    )
  } catch (error) {
    await undo()
    throw error
  }
  if (instance) return { instance, gone: instance.ended.then(undo) }
  await undo()
  return undefined
}
