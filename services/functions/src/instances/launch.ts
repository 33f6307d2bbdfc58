import type { Clock, FairGate } from '@icosa/kernel'
import type { Revision } from '../revision.ts'
import { type Instance, type InstanceHost, startInstance } from './instance.ts'
import type { Leases } from './leases.ts'
import type { Room } from './room.ts'

export interface LaunchHost extends InstanceHost {
  readonly leases: Leases
  readonly room: Room
  readonly clock: Clock
  /** Starts that go on at once, shared between tenants. */
  readonly starts: FairGate
}

export interface Launched {
  readonly instance: Instance
  /** When it has ended, and another one may be in its place. */
  readonly gone: Promise<void>
}

/** Starts an instance, with its lease and its memory. Undefined if the cell has as many as there may be. */
export async function launch(host: LaunchHost, revision: Revision, max: number): Promise<Launched | undefined> {
  const { leases, room, starts, clock } = host
  const { tenant, memoryBytes } = revision
  const id = await leases.take(revision, max)
  if (id === undefined) return undefined
  let hasRoom = false
  const undo = async () => {
    if (hasRoom) room.give(tenant, memoryBytes)
    await leases.release(revision, id)
  }
  try {
    await room.take(tenant, memoryBytes)
    hasRoom = true
    const instance = await starts.run(tenant, () => startInstance(host, revision, id, clock.now().getTime()))
    return { instance, gone: instance.ended.then(undo) }
  } catch (error) {
    await undo()
    throw error
  }
}
