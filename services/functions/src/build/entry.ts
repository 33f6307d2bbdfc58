import type { Entry } from 'yauzl'
import { refuseSource } from './refusal.ts'

export interface SourceEntry {
  /** Relative to the source folder. */
  readonly path: string
  readonly isFolder: boolean
  readonly isExecutable: boolean
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const kindMask = 0o170000
const regularFile = 0o100000
const folder = 0o040000
const deflated = 8

/** Validates an entry of a zip. Anything but regular files and folders inside the source is refused. */
export function readEntry(entry: Entry): SourceEntry {
  const name = nameOf(entry.fileName as unknown as Buffer)
  const quoted = JSON.stringify(name.slice(0, 200))
  const mode = entry.externalFileAttributes >>> 16
  const kind = mode & kindMask
  if (kind !== 0 && kind !== regularFile && kind !== folder)
    refuseSource(`${quoted} is a link or a device. Use a regular file.`)
  if (entry.generalPurposeBitFlag & 1) refuseSource(`${quoted} is encrypted. Zip it without a password.`)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== deflated)
    refuseSource(`${quoted} is not compressed with deflate. Use the default method of zip.`)
  const isFolder = name.endsWith('/')
  const segments = (isFolder ? name.slice(0, -1) : name).split('/')
  const isInside = segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  if (!isInside) refuseSource(`${quoted} is outside the source folder. Zip the folder itself, with relative names.`)
  if (segments.length > 50 || segments.some((segment) => Buffer.byteLength(segment) > 255))
    refuseSource(`${quoted} is too long: at most 50 folders deep, and 255 bytes for each name.`)
  return { path: segments.join('/'), isFolder, isExecutable: (mode & 0o100) !== 0 }
}

function nameOf(bytes: Buffer): string {
  let name = ''
  try {
    name = utf8.decode(bytes)
  } catch {
    refuseSource(`it has a file whose name is not UTF-8: ${JSON.stringify(bytes.toString('latin1').slice(0, 200))}.`)
  }
  // Some readers treat a backslash as a slash.
  if (/[\\\p{Cc}]/u.test(name) || name === '')
    refuseSource(
      `${JSON.stringify(name.slice(0, 200))} is not a file name: it is empty, or has a backslash or a control character.`,
    )
  return name
}
