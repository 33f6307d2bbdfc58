/** Statistics of all caches with one name in this process. */
export interface CacheFigures {
  readonly name: string
  hits: number
  misses: number
  evictions: number
}

interface Known extends CacheFigures {
  /** One per node, tenant or connection; collected caches are dropped. */
  readonly sizes: Set<WeakRef<() => number>>
}

const all = new Map<string, Known>()

/** Returns the statistics for a name. `size` must live as long as the cache. */
export function figuresOf(name: string, size: () => number): CacheFigures {
  const figures = all.get(name) ?? { name, hits: 0, misses: 0, evictions: 0, sizes: new Set() }
  all.set(name, figures)
  figures.sizes.add(new WeakRef(size))
  return figures
}

export function cacheFigures(): (Readonly<CacheFigures> & { readonly entries: number })[] {
  return [...all.values()].map(({ sizes, ...figures }) => {
    let entries = 0
    for (const ref of sizes) {
      const size = ref.deref()
      if (size) entries += size()
      else sizes.delete(ref)
    }
    return { ...figures, entries }
  })
}
