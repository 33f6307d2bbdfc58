import tables from './arguments.json' with { type: 'json' }

/** A library of Windows: its functions in order of their names, as its table of exports has them. */
export interface KnownLibrary {
  readonly names: readonly string[]
  readonly indexes: ReadonlyMap<string, number>
  readonly pops: readonly (number | undefined)[]
}

const aliases: Readonly<Record<string, string>> = { kernelbase: 'kernel32' }
const known = new Map<string, KnownLibrary | undefined>()

/** By its file name. Undefined for libraries of which no table says what is in them. */
export function knownLibrary(file: string): KnownLibrary | undefined {
  if (known.size > 1_000) known.clear() // samples choose the names
  if (!known.has(file)) known.set(file, read(file.replace(/\.\w+$/, '')))
  return known.get(file)
}

function read(stem: string): KnownLibrary | undefined {
  const name = Object.hasOwn(aliases, stem) ? (aliases[stem] as string) : stem
  if (!Object.hasOwn(tables, name)) return undefined
  // As the import libraries of mingw-w64 have them: names by the number of their arguments.
  const byCount: Readonly<Record<string, string>> = tables[name as keyof typeof tables]
  const counts = new Map<string, number | undefined>()
  for (const [count, names] of Object.entries(byCount))
    for (const one of names.split(' ')) counts.set(one, count === 'caller' ? undefined : Number(count))
  const names = [...counts.keys()].sort()
  return {
    names,
    indexes: new Map(names.map((one, index) => [one, index])),
    pops: names.map((one) => counts.get(one)),
  }
}
