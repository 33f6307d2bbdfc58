import tables from './arguments.json' with { type: 'json' }

/** A Windows library with its functions sorted by name, as in its export table. */
export interface KnownLibrary {
  readonly names: readonly string[]
  readonly indexes: ReadonlyMap<string, number>
  readonly pops: readonly (number | undefined)[]
}

const aliases: Readonly<Record<string, string>> = { kernelbase: 'kernel32' }
const libraries = new Map<string, KnownLibrary | undefined>()

/** Finds a library by file name; undefined if its functions are not known. */
export function knownLibrary(file: string): KnownLibrary | undefined {
  if (libraries.size > 1_000) libraries.clear() // samples choose the names
  if (!libraries.has(file)) libraries.set(file, libraryOf(file.replace(/\.\w+$/, '')))
  return libraries.get(file)
}

function libraryOf(stem: string): KnownLibrary | undefined {
  const name = Object.hasOwn(aliases, stem) ? (aliases[stem] as string) : stem
  if (!Object.hasOwn(tables, name)) return undefined
  // Names by number of arguments.
  const byCount: Readonly<Record<string, string>> = tables[name as keyof typeof tables]
  const counts = new Map<string, number | undefined>()
  for (const [count, names] of Object.entries(byCount))
    for (const fn of names.split(' ')) counts.set(fn, count === 'caller' ? undefined : Number(count))
  const names = [...counts.keys()].sort()
  return {
    names,
    indexes: new Map(names.map((fn, index) => [fn, index])),
    pops: names.map((fn) => counts.get(fn)),
  }
}
