import { join } from 'node:path'

/**
 * Where a key lives on disk: a folder for each segment, a file for the last one. Each name says by its first letter
 * what it is, so that the keys `a` and `a/b` can both exist, and is made of lower-case letters, digits, `_`, `-` and
 * `=` only: no file system folds two keys into one, and none of the names is reserved anywhere.
 *
 * A segment too long for one name goes on in a folder of its own: as long as 80 bytes or more are left, 80 of them
 * name a folder. What is left then, perhaps nothing, ends the segment.
 *
 * Bytes are handled as strings of one character a byte: such strings compare in the order of UTF-8.
 */
const longestPiece = 80
const plainByte = /[a-z0-9_-]/
const fileName = /^([odc])-((?:[a-z0-9_-]|=[0-9a-f]{2})*)$/

export interface Entry {
  readonly name: string
  /** For an object its key; for a folder what all keys in it begin with. As bytes. */
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
    for (; rest.length >= longestPiece; rest = rest.slice(longestPiece)) {
      pieces.push(`c-${escaped(rest.slice(0, longestPiece))}`)
    }
    return [...pieces, `${index === segments.length - 1 ? 'o' : 'd'}-${escaped(rest)}`]
  })
  return join(root, ...names)
}

/** What a name in the folder at `position` stands for; undefined for a file that is not ours. */
export function entryOf(name: string, position: string): Entry | undefined {
  const [, kind, rest] = fileName.exec(name) ?? []
  if (kind === undefined || rest === undefined) return undefined
  const bytes = position + unescaped(rest)
  return { name, position: kind === 'd' ? `${bytes}/` : bytes, isObject: kind === 'o' }
}
