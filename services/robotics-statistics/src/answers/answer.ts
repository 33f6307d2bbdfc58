import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib'
import { media, notModified } from '@icosa/kernel'
import { type Coding, httpDate } from './conditions.ts'

interface AnswerMetadata {
  readonly version: number
  /** Seconds since 1970. */
  readonly modified: number
  readonly etag: string
  /** An empty answer has no Last-Modified. */
  readonly isEmpty: boolean
}

type Reply = ReturnType<typeof media>
type NotModified = ReturnType<typeof notModified>

/** Content of an answer with its ETag, and the replies for each content coding, created once. */
export class Answer implements AnswerMetadata {
  readonly version: number
  readonly modified: number
  readonly etag: string
  readonly isEmpty: boolean
  readonly #bytes: (coding: Coding) => Uint8Array
  readonly #replies = new Map<Coding, Reply>()
  #notModified: NotModified | undefined

  constructor({ version, modified, etag, isEmpty }: AnswerMetadata, bytes: (coding: Coding) => Uint8Array) {
    this.version = version
    this.modified = modified
    this.etag = etag
    this.isEmpty = isEmpty
    this.#bytes = bytes
  }

  reply(coding: Coding, now: number): Reply {
    const cached = this.#replies.get(coding)
    if (cached) return cached
    const headers = this.#headers(now)
    if (coding !== 'identity') headers['content-encoding'] = coding
    const reply = media('application/json; charset=utf-8', this.#bytes(coding), headers)
    // A change within the current second has a Last-Modified in the future, which is not sent: not cacheable yet.
    if (this.modified <= now) {
      this.#replies.set(coding, reply)
      this.#notModified = this.notModified(now)
    }
    return reply
  }

  notModified(now: number): NotModified {
    return notModified(this.#headers(now))
  }

  /** Returns a reply sent before, whose Last-Modified is final. */
  cachedReply(coding: Coding): Reply | undefined {
    return this.#replies.get(coding)
  }

  get cachedLastModified(): string | undefined {
    return this.#notModified?.headers?.['last-modified']
  }

  get cachedNotModified(): NotModified | undefined {
    return this.#notModified
  }

  #headers(now: number): Record<string, string> {
    const headers: Record<string, string> = { etag: this.etag, vary: 'accept-encoding', 'cache-control': 'no-cache' }
    if (!this.isEmpty) headers['last-modified'] = httpDate(Math.min(this.modified, now))
    return headers
  }
}

/** Weak ETag, since an answer has several content codings. */
export const etagOf = (text: string) => `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

export const gzip = (text: string) => gzipSync(text, { level: 6 })

export function brotli(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: size }
  return brotliCompressSync(text, { params })
}

/** An answer that the import has compressed; decompressed only for clients without either coding. */
export function storedAnswer(
  metadata: AnswerMetadata,
  stored: { readonly gzip: Uint8Array; readonly br: Uint8Array },
): Answer {
  return new Answer(metadata, (coding) => (coding === 'identity' ? brotliDecompressSync(stored.br) : stored[coding]))
}

/** An answer built on request and compressed on demand. */
export function freshAnswer(metadata: Omit<AnswerMetadata, 'etag'>, text: string): Answer {
  const encoders = { identity: () => Buffer.from(text), gzip: () => gzip(text), br: () => brotli(text) }
  return new Answer({ ...metadata, etag: etagOf(text) }, (coding) => encoders[coding]())
}
