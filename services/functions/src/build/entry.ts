import type { Entry } from 'yauzl'
import { refuseSource } from './refusal.ts'

export interface SourceEntry {
  /** Below the folder of the source. */
  readonly path: string
  readonly isFolder: boolean
  readonly isExecutable: boolean
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const kindMask = 0o170000
const regularFile = 0o100000
const folder = 0o040000
const deflated = 8

/** What an entry of a zip is, if it is a plain file or folder inside the source: anything else is refused by its name. */
export function readEntry(entry: Entry): SourceEntry {
  const name = nameOf(entry.fileName as unknown as Buffer)
  const shown = JSON.stringify(name.slice(0, 200))
  const mode = entry.externalFileAttributes >>> 16
  const kind = mode & kindMask
  if (kind !== 0 && kind !== regularFile && kind !== folder)
    refuseSource(`${shown} is a link or a device. Put a plain file there.`)
  if (entry.generalPurposeBitFlag & 1) refuseSource(`${shown} is encrypted. Zip it without a password.`)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== deflated)
    refuseSource(`${shown} is compressed in a way other than deflate. Zip it with the usual method.`)
  const isFolder = name.endsWith('/')
  const segments = (isFolder ? name.slice(0, -1) : name).split('/')
  const isInside = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  if (!isInside)
    refuseSource(`${shown} leads out of the folder of the source. Zip the folder itself, with plain names.`)
  if (segments.length > 50 || segments.some((segment) => Buffer.byteLength(segment) > 255))
    refuseSource(`${shown} is too long: at most 50 folders deep, and 255 bytes for each name.`)
  return { path: segments.join('/'), isFolder, isExecutable: (mode & 0o100) !== 0 }
}

function nameOf(bytes: Buffer): string {
  let name = ''
  try {
    name = utf8.decode(bytes)
  } catch {
    refuseSource(`it has a file whose name is not UTF-8: ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}.`)
  }
  // Some readers take a backslash for a slash; control characters are nobody's name for a file.
  if (/[\\\p{Cc}]/u.test(name) || name === '')
    refuseSource(
      `${JSON.stringify(name.slice(0, 200))} is not a name of a file: it has a backslash or a control character.`,
    )
  return name
}
