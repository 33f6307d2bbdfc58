import { openPool } from '@icosa/compute'
import type { Metrics } from '@icosa/kernel'
import type { Descriptor } from '../engine/look/describe.ts'
import { dimensions, type Gallery } from '../training/gallery.ts'
import type { Indexes } from './indexes.ts'
import type { Near } from './nearest.ts'
import { ranked } from './ranked.ts'
import type { Result, Task } from './thread.ts'

/** Compares faces beside the node's own work. */
export interface Matcher {
  /** The nearest persons of a gallery, each by the nearest of their faces. */
  nearest(tenant: string, gallery: Gallery, probe: Descriptor, limits: Limits): Promise<readonly Near[]>
  /** Faces that are likely of one person, by their places in the list. */
  groups(tenant: string, all: readonly Descriptor[], within: number): Promise<readonly (readonly number[])[]>
  close(): Promise<void>
}

export interface Limits {
  readonly most: number
  readonly within: number
}

const likely = ({ faces }: Gallery, most: number) => Math.min(faces, 8 * most + 56)

export function openMatcher(indexes: Indexes, metrics?: Metrics): Matcher {
  const threads = openPool<Task, Result>({
    name: 'comparing faces',
    module: new URL('./thread.ts', import.meta.url),
    size: 2,
    memoryMb: 96, // galleries are outside of it, in memory that threads share
    ...(metrics && { metrics }),
  })
  return {
    async nearest(tenant, gallery, probe, limits) {
      const { name, descriptors, starts, isIndexed } = gallery
      // Several of the nearest faces may be of one person.
      const places = isIndexed && (await indexes.search(tenant, name, probe, likely(gallery, limits.most)))
      if (places) return ranked(gallery, places, probe, limits)
      return (await threads.run(tenant, { is: 'search', descriptors, starts, probe, ...limits })) as readonly Near[]
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
