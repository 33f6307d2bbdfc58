import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Failure, invalid, type ReadingDb, type RestoreMetadata } from '@icosa/kernel'
import * as store from './rows-store.ts'

export { add as addRows, ownRows, type RowsOf } from './rows-store.ts'

/** A row as JSON, without the columns that are set anew on restore. */
export interface Line {
  readonly table: string
  readonly json: string
}

/** Backup and restore keep all of it in memory. */
const maxBytes = 256 * 1024 ** 2

/** Reads a resource's rows for its backup, as a consistent snapshot. */
export async function linesOf(db: ReadingDb, all: readonly store.RowsOf[]): Promise<Line[]> {
  const bytes = await store.sizeOf(db, all)
  if (bytes > maxBytes)
    throw new Failure('conflict', `The resource has ${bytes} bytes: at most ${maxBytes} can be backed up.`)
  const lines = await store.read(db, all)
  return lines.map(({ part, json }) => ({ table: all[part]?.table ?? '', json }))
}

/** One line per row: the table, a blank, and the JSON. */
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

/** Reads to the end, so that truncation is detected. */
export async function linesIn(content: Readable): Promise<Line[]> {
  const lines = (await text(content)).split('\n')
  if (lines.pop() !== '') throw new Failure('conflict', 'The data in the vault ends in the middle of a line.')
  return lines.map((line) => {
    const blank = line.indexOf(' ')
    return { table: line.slice(0, blank), json: line.slice(blank + 1) }
  })
}

export const jsonOf = (lines: readonly Line[], of: string): string[] =>
  lines.flatMap(({ table, json }) => (table === of ? [json] : []))

/** Changes rows of one table: values sealed by the platform must not depend on its key in a backup. */
export const withRows = <Row>(lines: readonly Line[], of: string, change: (row: Row) => object): Line[] =>
  lines.map((line) =>
    line.table === of ? { ...line, json: JSON.stringify(change(JSON.parse(line.json) as Row)) } : line,
  )

/** PostgreSQL's `bytea` format in JSON, and back. */
export const bytesIn = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
export const hexOf = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`

/** Reads the target of a restore from its metadata; other keys are refused. */
export function placeIn<const Key extends string>(
  metadata: RestoreMetadata,
  keys: readonly Key[],
): Record<Key, string> {
  const unknown = Object.keys(metadata).find((key) => !(keys as readonly string[]).includes(key))
  if (unknown !== undefined) invalid([{ at: `Metadata/${unknown}`, message: `is unknown: use ${keys.join(', ')}` }])
  const missing = keys.find((key) => !metadata[key])
  if (missing !== undefined) invalid([{ at: `Metadata/${missing}`, message: 'is required' }])
  return Object.fromEntries(keys.map((key) => [key, metadata[key]])) as Record<Key, string>
}
