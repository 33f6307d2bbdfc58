import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib'
import { media, notModified } from '@icosa/kernel'
import { type Coding, httpDate } from './conditions.ts'

interface Facts {
  readonly version: number
  /** Seconds since 1970. */
  readonly modified: number
  readonly etag: string
  /** Only an answer that holds something says when it was modified. */
  readonly isEmpty: boolean
}

type Reply = ReturnType<typeof media>
type Unmodified = ReturnType<typeof notModified>

/** The bytes of an answer, and the replies that carry them: made once, sent as often as somebody asks. */
export class Answer implements Facts {
  readonly version: number
  readonly modified: number
  readonly etag: string
  readonly isEmpty: boolean
  readonly #bytes: (coding: Coding) => Uint8Array
  readonly #replies = new Map<Coding, Reply>()
  #unmodified: Unmodified | undefined

  constructor({ version, modified, etag, isEmpty }: Facts, bytes: (coding: Coding) => Uint8Array) {
    this.version = version
    this.modified = modified
    this.etag = etag
    this.isEmpty = isEmpty
    this.#bytes = bytes
  }

  reply(coding: Coding, now: number): Reply {
    const made = this.#replies.get(coding)
    if (made) return made
    const headers = this.#headers(now)
    if (coding !== 'identity') headers['content-encoding'] = coding
    const reply = media('application/json; charset=utf-8', this.#bytes(coding), headers)
    // The change of the last moment has a date that is still to come, which nobody is shown.
    if (this.modified <= now) {
      this.#replies.set(coding, reply)
      this.#unmodified = this.unmodified(now)
    }
    return reply
  }

  unmodified(now: number): Unmodified {
    return notModified(this.#headers(now))
  }

  /** A reply that has left before, with a date that stays. */
  recalled(coding: Coding): Reply | undefined {
    return this.#replies.get(coding)
  }

  /** The date of such a reply. */
  get shown(): string | undefined {
    return this.#unmodified?.headers?.['last-modified']
  }

  /** Word that somebody with this date has it already. */
  get recalledUnmodified(): Unmodified | undefined {
    return this.#unmodified
  }

  #headers(now: number): Record<string, string> {
    const headers: Record<string, string> = { etag: this.etag, vary: 'accept-encoding', 'cache-control': 'no-cache' }
    if (!this.isEmpty) headers['last-modified'] = httpDate(Math.min(this.modified, now))
    return headers
  }
}

/** Weak, since the same answer goes out in several codings. */
export const etagOf = (text: string) => `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

export const gzip = (text: string) => gzipSync(text, { level: 6 })

export function brotli(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: size }
  return brotliCompressSync(text, { params })
}

/** Made at the import: only for those who take neither coding it is unpacked, once. */
export function storedAnswer(facts: Facts, stored: { readonly gzip: Uint8Array; readonly br: Uint8Array }): Answer {
  return new Answer(facts, (coding) => (coding === 'identity' ? brotliDecompressSync(stored.br) : stored[coding]))
}

/** Made for a question that somebody just asked: compressed when it is asked for so. */
export function freshAnswer(facts: Omit<Facts, 'etag'>, text: string): Answer {
  const made = { identity: () => Buffer.from(text), gzip: () => gzip(text), br: () => brotli(text) }
  return new Answer({ ...facts, etag: etagOf(text) }, (coding) => made[coding]())
}
