import type { Blobs } from '@icosa/kernel'
import { jsonOf, type Line } from '@icosa/module/rows'
import { folderOf, removeFile } from '../media/receive.ts'
import type { Framed } from './framing.ts'
import { mediaTable } from './store.ts'

/** Row of the media table. */
export interface MediaLine {
  readonly id: number
  readonly blob: string
  readonly sha256: string
  readonly status: string
}

interface FileLine {
  readonly key: string
  readonly contentType: string
  readonly size: number
}

export const mediaIn = (lines: readonly Line[]): MediaLine[] =>
  jsonOf(lines, mediaTable).map((json) => JSON.parse(json))

const fileMark = 'file '

/**
 * Rows first, one per line, then their blobs, each folder once. Folders are named after their first file, so that a restored
 * assignment yields the same bytes again.
 */
export async function* contentOf(lines: readonly Line[], blobs: Blobs): AsyncGenerator<Uint8Array> {
  const folders = new Map<string, string>()
  for (const { table, json } of lines) {
    const { id, blob }: Partial<MediaLine> = table === mediaTable ? JSON.parse(json) : {}
    const folder = blob === undefined ? undefined : folderOf(blob)
    if (folder !== undefined && !folders.has(folder)) folders.set(folder, `media/${id}/`)
    const line = folder === undefined ? json : json.replaceAll(folder, folders.get(folder) ?? folder)
    yield Buffer.from(`${table} ${line}\n`)
  }
  for (const [folder, name] of folders) {
    const { items } = await blobs.list(folder, { limit: 1_000 })
    for (const { key } of items) {
      const { info, body } = await blobs.get(key)
      const file: FileLine = { key: key.replace(folder, name), contentType: info.contentType, size: info.size }
      yield Buffer.from(`${fileMark}${JSON.stringify(file)}\n`)
      yield* body
    }
  }
}

/** Rows of a backup, and the line of the first file after them. */
export async function linesIn(content: Framed): Promise<{ readonly lines: Line[]; readonly file: string | undefined }> {
  const lines: Line[] = []
  for (;;) {
    const line = await content.line()
    if (line === undefined || line.startsWith(fileMark)) return { lines, file: line }
    const blank = line.indexOf(' ')
    lines.push({ table: line.slice(0, blank), json: line.slice(blank + 1) })
  }
}

/** Puts files into new folders, since the original ones may be about to be deleted. Files without a folder are skipped. */
export async function putFiles(
  content: Framed,
  first: string | undefined,
  blobs: Blobs,
  folders: ReadonlyMap<string, string>,
): Promise<void> {
  for (let line = first; line !== undefined; line = await content.line()) {
    const { key, contentType, size }: FileLine = JSON.parse(line.slice(fileMark.length))
    const folder = folders.get(folderOf(key))
    const bytes = content.bytes(size)
    if (folder !== undefined) await blobs.put(`${folder}${key.slice(folderOf(key).length)}`, bytes, { contentType })
    else for await (const _ of bytes);
  }
}

export async function removeFolders(blobs: Blobs, folders: Iterable<string>): Promise<void> {
  for (const folder of folders) await removeFile(blobs, folder)
}
