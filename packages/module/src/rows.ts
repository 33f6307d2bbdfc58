import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Failure, invalid, type ReadingDb, type RestoreMetadata } from '@icosa/kernel'
import * as store from './rows-store.ts'

export { add as addRows, ownRows, type RowsOf } from './rows-store.ts'

/** A row of a table as JSON, without what is set anew when it is put elsewhere. */
export interface Line {
  readonly table: string
  readonly json: string
}

/** All of it is in memory for a moment, here and when it is restored. */
const mostBytes = 256 * 1024 ** 2

/** What a service has of a resource, for its backup: rows of its tables as they are at one moment. */
export async function linesOf(db: ReadingDb, all: readonly store.RowsOf[]): Promise<Line[]> {
  const bytes = await store.sizeOf(db, all)
  if (bytes > mostBytes)
    throw new Failure('conflict', `It has ${bytes} bytes, and at most ${mostBytes} of a resource can be backed up.`)
  const lines = await store.read(db, all)
  return lines.map(({ part, json }) => ({ table: all[part]?.table ?? '', json }))
}

/** A line for each: the table, a blank, and the row. */
export function contentOf(lines: readonly Line[]): Readable {
  return Readable.from(
    (function* () {
      for (let start = 0; start < lines.length; start += 1_000)
        yield lines
          .slice(start, start + 1_000)
          .map(({ table, json }) => `${table} ${json}\n`)
          .join('')
    })(),
    { objectMode: false },
  )
}

/** All of it, read to its end: it is then known to be whole. */
export async function linesIn(content: Readable): Promise<Line[]> {
  const all = (await text(content)).split('\n')
  if (all.pop() !== '') throw new Failure('conflict', 'The data in the vault ends in the middle of a line.')
  return all.map((line) => {
    const blank = line.indexOf(' ')
    return { table: line.slice(0, blank), json: line.slice(blank + 1) }
  })
}

export const jsonOf = (lines: readonly Line[], of: string): string[] =>
  lines.flatMap(({ table, json }) => (table === of ? [json] : []))

/** Rows of one table with something else in them: what the platform's key has sealed must not depend on it in a vault. */
export const withRows = <Row>(lines: readonly Line[], of: string, change: (row: Row) => object): Line[] =>
  lines.map((line) =>
    line.table === of ? { ...line, json: JSON.stringify(change(JSON.parse(line.json) as Row)) } : line,
  )

/** PostgreSQL's spelling of bytes in JSON, and back. */
export const bytesIn = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
export const hexOf = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`

/** Where something is to be restored: these names and no others. */
export function placeIn<const Key extends string>(
  metadata: RestoreMetadata,
  keys: readonly Key[],
): Record<Key, string> {
  const unknown = Object.keys(metadata).find((key) => !(keys as readonly string[]).includes(key))
  if (unknown !== undefined)
    invalid([{ at: `Metadata/${unknown}`, message: `is not known: there are ${keys.join(', ')}` }])
  const missing = keys.find((key) => !metadata[key])
  if (missing !== undefined) invalid([{ at: `Metadata/${missing}`, message: 'is required' }])
  return Object.fromEntries(keys.map((key) => [key, metadata[key]])) as Record<Key, string>
}
