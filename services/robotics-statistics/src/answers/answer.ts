import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, gzipSync } from 'node:zlib'

export type Coding = 'identity' | 'gzip' | 'br'

/** The bytes of an answer, in the codings in which it goes out. */
export interface Answer {
  readonly version: string
  /** Seconds since 1970. */
  readonly modified: number
  readonly etag: string
  /** Whether it holds anything: only then it says when it was modified. */
  readonly isEmpty: boolean
  bytes(coding: Coding): Uint8Array
}

/** Weak, since the same answer goes out in several codings. */
export const etagOf = (text: string) => `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`

export const gzip = (text: string) => gzipSync(text, { level: 6 })

export function brotli(text: string): Buffer {
  const size = Buffer.byteLength(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: size }
  return brotliCompressSync(text, { params })
}

interface Facts extends Pick<Answer, 'version' | 'modified' | 'etag' | 'isEmpty'> {}

/** Made at the import: only whoever takes neither coding has it unpacked, once. */
export function storedAnswer(facts: Facts, stored: { readonly gzip: Uint8Array; readonly br: Uint8Array }): Answer {
  let plain: Uint8Array | undefined
  return {
    ...facts,
    bytes(coding) {
      if (coding !== 'identity') return stored[coding]
      plain ??= stored.br.length > 0 ? brotliDecompressSync(stored.br) : gunzipSync(stored.gzip)
      return plain
    },
  }
}

/** Made for a question that somebody just asked: compressed when it is asked for so. */
export function freshAnswer(facts: Facts, text: string): Answer {
  const made: Partial<Record<Coding, Uint8Array>> = { identity: Buffer.from(text) }
  return {
    ...facts,
    bytes(coding) {
      made[coding] ??= coding === 'gzip' ? gzip(text) : brotli(text)
      return made[coding]
    },
  }
}
