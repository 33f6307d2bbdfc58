import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, type Entry, entryOf, textOf } from './names.ts'

/** As bytes; see names.ts. */
interface Search {
  readonly prefix: string
  readonly after: string
  readonly batch: number
}

function canHold({ position, isObject }: Entry, { prefix, after }: Search): boolean {
  if (isObject) return position.startsWith(prefix) && position > after
  const underPrefix = position.startsWith(prefix) || prefix.startsWith(position)
  return underPrefix && (position > after || after.startsWith(position))
}

const inOrder = (a: Entry, b: Entry) => (a.position < b.position ? -1 : 1)

/** Returns the first entries of a folder after `last`. Memory is bounded, even for a million entries. */
async function firstEntries(folder: string, position: string, last: string, search: Search): Promise<Entry[]> {
  let entries: Entry[] = []
  let highest: string | undefined
  for await (const { name } of await opendir(folder, { bufferSize: 1024 })) {
    const entry = entryOf(name, position)
    if (!entry || entry.position <= last || !canHold(entry, search)) continue
    if (highest !== undefined && entry.position > highest) continue
    entries.push(entry)
    if (entries.length === 4 * search.batch) {
      entries = entries.sort(inOrder).slice(0, search.batch)
      highest = entries.at(-1)?.position
    }
  }
  return entries.sort(inOrder).slice(0, search.batch)
}

async function* walkFolder(folder: string, position: string, search: Search): AsyncGenerator<Entry & { file: string }> {
  for (let last = ''; ; ) {
    const entries = await firstEntries(folder, position, last, search).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    for (const entry of entries) {
      const file = join(folder, entry.name)
      if (entry.isObject) yield { ...entry, file }
      else yield* walkFolder(file, entry.position, search)
      last = entry.position
    }
    if (entries.length < search.batch) return
  }
}

/** Lists the objects under `root` with keys that start with `prefix` and follow `after`, in key order. */
export async function* walk(
  root: string,
  search: { prefix: string; after: string; batch: number },
): AsyncGenerator<{ key: string; file: string }> {
  const { prefix, after, batch } = search
  const objects = walkFolder(root, '', { prefix: bytesOf(prefix), after: bytesOf(after), batch })
  for await (const { position, file } of objects) yield { key: textOf(position), file }
}
