import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isUnchanged } from '../conditions.ts'

/** Inclusive at both ends, as in HTTP. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A file that supports range and conditional requests. */
export interface FileSource {
  readonly size: number
  readonly mediaType: string
  /** Without quotes. Changes with the content. */
  readonly etag?: string | undefined
  readonly modifiedAt?: Date | undefined
  /** Makes browsers save the file under this name instead of displaying it. */
  readonly fileName?: string | undefined
  /** Called at most once. */
  open(range: Range): Readable | Promise<Readable>
  /** Called instead of `open` if no content is sent. */
  close?(): unknown
}

export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 416
  readonly headers: Readonly<Record<string, string | number>>
  readonly source: FileSource
  /** Undefined if no content is sent. */
  readonly range: Range | undefined
}

export type FileRequest = Pick<IncomingMessage, 'method' | 'headers'>

/** The uploader chose the type: scripts in a page or an image must not run on our origin. */
const sandbox = { 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' }

/** Headers for user content, unless the reply has its own policy. JSON is never executed. */
export const sandboxOf = (mediaType: string) => (mediaType.startsWith('application/json') ? {} : sandbox)

/** Serves one range at most: any other `Range` is ignored, as HTTP allows, and the whole file is sent. */
export function answerFile({ method, headers }: FileRequest, source: FileSource): FileAnswer {
  const { size, mediaType, fileName } = source
  const about = { ...validatorsOf(source), 'accept-ranges': 'bytes' }
  if (isKnown(headers, source)) return { status: 304, headers: about, source, range: undefined }
  const all = {
    ...about,
    'content-type': mediaType,
    ...sandbox,
    ...(fileName !== undefined && { 'content-disposition': dispositionOf(fileName) }),
  }
  if (method === 'HEAD') return { status: 200, headers: { ...all, 'content-length': size }, source, range: undefined }
  const range = requestedRange(headers, source)
  if (range === 'unsatisfiable') {
    const empty = { ...about, 'content-range': `bytes */${size}`, 'content-length': 0 }
    return { status: 416, headers: empty, source, range: undefined }
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  const part = range && { 'content-range': `bytes ${start}-${end}/${size}` }
  const sent = { ...all, ...part, 'content-length': end - start + 1 }
  return { status: range ? 206 : 200, headers: sent, source, range: { start, end } }
}

function validatorsOf({ etag, modifiedAt }: FileSource): Record<string, string> {
  return {
    ...(etag !== undefined && { etag: `"${etag}"` }),
    ...(modifiedAt && { 'last-modified': modifiedAt.toUTCString() }),
  }
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1_000)

/** If-None-Match takes precedence over If-Modified-Since, which has a resolution of seconds. */
function isKnown(headers: IncomingHttpHeaders, source: FileSource): boolean {
  const unchanged = isUnchanged(headers, validatorsOf(source).etag ?? '')
  if (headers['if-none-match'] !== undefined) return unchanged
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return source.modifiedAt !== undefined && seconds(source.modifiedAt) <= Math.floor(since / 1_000)
}

function requestedRange(headers: IncomingHttpHeaders, source: FileSource): Range | 'unsatisfiable' | undefined {
  const { size } = source
  const { etag, 'last-modified': modified } = validatorsOf(source)
  const { 'if-range': condition, range = '' } = headers
  if (condition !== undefined && condition !== etag && condition !== modified) return undefined
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  if (first === '')
    return Number(last) > 0 && size > 0 ? { start: Math.max(0, size - Number(last)), end: size - 1 } : 'unsatisfiable'
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < size ? { start, end } : 'unsatisfiable'
}

function dispositionOf(fileName: string): string {
  const plain = fileName.toWellFormed().replace(/[^\x20-\x7e]|["\\%/]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** A file in memory. */
export function fileOfBytes(mediaType: string, content: Uint8Array): FileSource {
  const etag = createHash('sha256').update(content).digest('base64url')
  return {
    size: content.length,
    mediaType,
    etag,
    open: ({ start, end }) => Readable.from([content.subarray(start, end + 1)]),
  }
}
