import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isUnchanged } from '../conditions.ts'

/** Both ends count, as in HTTP. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A file that callers can ask for in part, and ask for again without getting it twice. */
export interface FileSource {
  readonly size: number
  readonly mediaType: string
  /** Without its quotes. Changes when the content does. */
  readonly etag?: string | undefined
  readonly modifiedAt?: Date | undefined
  /** Browsers then save it under this name instead of showing it. */
  readonly fileName?: string | undefined
  /** Called once at most. */
  open(range: Range): Readable | Promise<Readable>
  /** Called instead of `open` if no content is to be sent. */
  close?(): unknown
}

/** What of a file a request gets. */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 416
  readonly headers: Readonly<Record<string, string | number>>
  readonly source: FileSource
  /** Nothing of the content if there is none. */
  readonly range: Range | undefined
}

/** The parts of a request that say which bytes of a file it asks for. */
export type FileRequest = Pick<IncomingMessage, 'method' | 'headers'>

/** The uploader chose the type: a page or an image with scripts must not run as one of ours. */
const sandbox = { 'content-security-policy': "sandbox; default-src 'none'", 'x-content-type-options': 'nosniff' }

/** Headers of content that is not ours, unless the reply has a policy of its own. Nothing in JSON is ever run. */
export const sandboxOf = (mediaType: string) => (mediaType.startsWith('application/json') ? {} : sandbox)

/** One range at most: what else a `Range` may hold is passed over, as HTTP allows, and the answer is the whole. */
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

/** If-None-Match counts more than If-Modified-Since, which knows seconds only. */
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
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** A file that is in memory already. */
export function fileOfBytes(mediaType: string, content: Uint8Array): FileSource {
  const etag = createHash('sha256').update(content).digest('base64url')
  return {
    size: content.length,
    mediaType,
    etag,
    open: ({ start, end }) => Readable.from([content.subarray(start, end + 1)]),
  }
}
