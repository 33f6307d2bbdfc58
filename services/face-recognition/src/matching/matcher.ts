import { availableParallelism } from 'node:os'
import { openPool } from '@icosa/compute'
import type { Metrics } from '@icosa/kernel'
import type { Descriptor } from '../engine/look/describe.ts'
import { dimensions, type Gallery } from '../training/gallery.ts'
import { boundOf, type Near } from './nearest.ts'
import type { Range } from './scan.ts'
import type { Signatures } from './signatures.ts'
import type { Result, Task } from './thread.ts'

/** Compares faces in a thread pool. */
export interface Matcher {
  /** Returns the nearest persons of a gallery, each by the nearest of their faces. */
  nearest(tenant: string, gallery: Gallery, probe: Descriptor, limits: Limits): Promise<readonly Near[]>
  /** Computes the index of a large gallery: locality-sensitive hashes of its faces. */
  signatures(tenant: string, gallery: Gallery): Promise<Signatures>
  /** Clusters faces that are likely of one person; returns their indices. */
  groups(tenant: string, all: readonly Descriptor[], maxDistance: number): Promise<readonly (readonly number[])[]>
  close(): Promise<void>
}

export interface Limits {
  readonly maxPersons: number
  readonly maxDistance: number
}

/** A larger gallery is partitioned between threads. */
const facesPerPart = 250_000
const cores = availableParallelism()

/** Signatures of a million faces take a few seconds, and more on a busy machine. */
const signMs = 10 * 60_000

export function openMatcher(metrics?: Metrics): Matcher {
  const threads = openPool<Task, Result>({
    name: 'comparing faces',
    module: new URL('./thread.ts', import.meta.url),
    size: cores + 1, // one tenant never gets all
    memoryMb: 96, // without galleries, which are in shared memory
    ...(metrics && { metrics }),
  })
  return {
    async nearest(tenant, gallery, probe, limits) {
      const { descriptors, starts, signatures } = gallery
      const bound = boundOf(limits.maxDistance)
      const task = { kind: 'search', descriptors, starts, signatures, probe, bound, ...limits } as const
      const results = await Promise.all(partsOf(gallery).map((persons) => threads.run(tenant, { ...task, persons })))
      return (results as (readonly Near[])[])
        .flat()
        .sort((p, q) => p.distance - q.distance)
        .slice(0, limits.maxPersons)
    },
    async signatures(tenant, { descriptors, starts }) {
      const task = { kind: 'sign', descriptors, starts } as const
      return (await threads.run(tenant, task, { deadlineMs: signMs })) as Signatures
    },
    async groups(tenant, all, maxDistance) {
      const descriptors = new Float32Array(all.length * dimensions)
      for (const [index, descriptor] of all.entries()) descriptors.set(descriptor, index * dimensions)
      const task = { kind: 'group', descriptors, maxDistance } as const
      return (await threads.run(tenant, task)) as readonly (readonly number[])[]
    },
    close: () => threads.close(),
  }
}

/** Partitions persons, not faces, so that no person is in two parts. */
function partsOf({ faces, starts, signatures }: Gallery): Range[] {
  const persons = starts.byteLength / 4 - 1
  const parts = signatures ? Math.min(Math.ceil(faces / facesPerPart), persons, cores) : 1
  const begin = (part: number) => Math.floor((part * persons) / parts)
  return Array.from({ length: parts }, (_, part) => ({ from: begin(part), to: begin(part + 1) }))
}
