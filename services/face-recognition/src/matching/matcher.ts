import { availableParallelism } from 'node:os'
import { openPool } from '@icosa/compute'
import type { Metrics } from '@icosa/kernel'
import type { Descriptor } from '../engine/look/describe.ts'
import { dimensions, type Gallery } from '../training/gallery.ts'
import { boundOf, type Near } from './nearest.ts'
import type { Range } from './scan.ts'
import type { Sketches } from './sketches.ts'
import type { Result, Task } from './thread.ts'

/** Compares faces beside the node's own work. */
export interface Matcher {
  /** The nearest persons of a gallery, each by the nearest of their faces. */
  nearest(tenant: string, gallery: Gallery, probe: Descriptor, limits: Limits): Promise<readonly Near[]>
  /** Of each face of a large gallery, with which it is found faster. */
  sketches(tenant: string, gallery: Gallery): Promise<Sketches>
  /** Faces that are likely of one person, by their places in the list. */
  groups(tenant: string, all: readonly Descriptor[], within: number): Promise<readonly (readonly number[])[]>
  close(): Promise<void>
}

export interface Limits {
  readonly most: number
  readonly within: number
}

/** A larger gallery is shared among threads, if there are any to share it with. */
const facesOfPart = 250_000
const cores = availableParallelism()

/** A few seconds for a million faces, and more where others need the processor. */
const sketchingMs = 10 * 60_000

export function openMatcher(metrics?: Metrics): Matcher {
  const threads = openPool<Task, Result>({
    name: 'comparing faces',
    module: new URL('./thread.ts', import.meta.url),
    size: cores + 1, // of which one tenant never has all
    memoryMb: 96, // galleries are outside of it, in memory that threads share
    ...(metrics && { metrics }),
  })
  return {
    async nearest(tenant, gallery, probe, limits) {
      const { descriptors, starts, sketches } = gallery
      const bound = boundOf(limits.within)
      const task = { is: 'search', descriptors, starts, sketches, probe, bound, ...limits } as const
      const found = await Promise.all(partsOf(gallery).map((persons) => threads.run(tenant, { ...task, persons })))
      return (found as (readonly Near[])[])
        .flat()
        .sort((p, q) => p.distance - q.distance)
        .slice(0, limits.most)
    },
    async sketches(tenant, { descriptors, starts }) {
      const task = { is: 'sketch', descriptors, starts } as const
      return (await threads.run(tenant, task, { deadlineMs: sketchingMs })) as Sketches
    },
    async groups(tenant, all, within) {
      const descriptors = new Float32Array(all.length * dimensions)
      for (const [index, descriptor] of all.entries()) descriptors.set(descriptor, index * dimensions)
      const task = { is: 'group', descriptors, within } as const
      return (await threads.run(tenant, task)) as readonly (readonly number[])[]
    },
    close: () => threads.close(),
  }
}

/** Persons, not faces, so that nobody is in two parts. */
function partsOf({ faces, starts, sketches }: Gallery): Range[] {
  const persons = starts.byteLength / 4 - 1
  const parts = sketches ? Math.min(Math.ceil(faces / facesOfPart), persons, cores) : 1
  const begin = (part: number) => Math.floor((part * persons) / parts)
  return Array.from({ length: parts }, (_, part) => ({ from: begin(part), to: begin(part + 1) }))
}
