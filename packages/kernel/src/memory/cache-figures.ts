/** What the caches of one name have done in this process so far. */
export interface CacheFigures {
  readonly name: string
  hits: number
  misses: number
  /** How many were forgotten to make room for others. */
  evictions: number
}

interface Known extends CacheFigures {
  /** There may be one for every node, tenant or connection; those that nobody has any more are forgotten. */
  readonly sizes: Set<WeakRef<() => number>>
}

const all = new Map<string, Known>()

/** The figures of a name, to be counted by a cache that has so many entries: `size` lives as long as the cache. */
export function figuresOf(name: string, size: () => number): CacheFigures {
  const known = all.get(name) ?? { name, hits: 0, misses: 0, evictions: 0, sizes: new Set() }
  all.set(name, known)
  known.sizes.add(new WeakRef(size))
  return known
}

export function cacheFigures(): (Readonly<CacheFigures> & { readonly entries: number })[] {
  return [...all.values()].map(({ sizes, ...figures }) => {
    let entries = 0
    for (const held of sizes) {
      const size = held.deref()
      if (size) entries += size()
      else sizes.delete(held)
    }
    return { ...figures, entries }
  })
}
