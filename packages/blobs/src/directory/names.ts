import { join } from 'node:path'

/**
 * Maps keys to paths: a folder per segment, a file for the last. The first letter of a name is its type, so that the
 * keys `a` and `a/b` can both exist. Names consist of lower-case letters, digits, `_`, `-` and `=` only: no file system
 * folds two keys into one, and no name is reserved.
 *
 * A segment too long for one name continues in nested folders: as long as 80 bytes or more are left, 80 of them name a
 * folder. The rest, possibly empty, ends the segment.
 *
 * Bytes are handled as strings with one character per byte, which compare in UTF-8 order.
 */
const maxPieceLength = 80
const plainByte = /[a-z0-9_-]/
const fileName = /^([odc])-((?:[a-z0-9_-]|=[0-9a-f]{2})*)$/

export interface Entry {
  readonly name: string
  /** As bytes: the key of an object, or the common prefix of all keys in a folder. */
  readonly position: string
  readonly isObject: boolean
}

export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1')
export const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()

function escaped(bytes: string): string {
  return Array.from(bytes, (byte) =>
    plainByte.test(byte) ? byte : `=${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  ).join('')
}

function unescaped(name: string): string {
  return name.replace(/=(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

export function fileOf(root: string, key: string): string {
  const segments = bytesOf(key).split('/')
  const names = segments.flatMap((segment, index) => {
    const pieces: string[] = []
    let rest = segment
    for (; rest.length >= maxPieceLength; rest = rest.slice(maxPieceLength)) {
      pieces.push(`c-${escaped(rest.slice(0, maxPieceLength))}`)
    }
    return [...pieces, `${index === segments.length - 1 ? 'o' : 'd'}-${escaped(rest)}`]
  })
  return join(root, ...names)
}

/** Decodes a name in the folder at `position`; undefined for foreign files. */
export function entryOf(name: string, position: string): Entry | undefined {
  const [, kind, rest] = fileName.exec(name) ?? []
  if (kind === undefined || rest === undefined) return undefined
  const bytes = position + unescaped(rest)
  return { name, position: kind === 'd' ? `${bytes}/` : bytes, isObject: kind === 'o' }
}
