import type { Bytes, BytesOptions, StreamOptions, Upload } from '@icosa/contract'
import { Failure, Outage } from '../../errors.ts'
import { limits } from '../limits.ts'

/** Media type without parameters. */
export const essence = (type = '') => (type.split(';', 1)[0] as string).trim().toLowerCase()

/** Returns the media type if it is accepted. */
export function checkType(type: string | undefined, types: readonly string[]): string {
  const sent = essence(type)
  const fits = types.some(
    (allowed) =>
      allowed === '*/*' || allowed === sent || (allowed.endsWith('/*') && sent.startsWith(allowed.slice(0, -1))),
  )
  if (!fits || sent === '')
    throw new Failure(
      'unsupportedMediaType',
      `${sent || 'A body without a media type'} is not accepted: send ${types.join(' or ')}.`,
    )
  return sent
}

export function tooLarge(maxBytes: number): never {
  throw new Failure('tooLarge', `The body is too large: at most ${maxBytes.toLocaleString('en')} bytes are allowed.`)
}

export function interrupted(cause: unknown): Error {
  return cause instanceof Failure || cause instanceof Outage
    ? cause
    : new Failure('invalid', 'The connection ended before the body did.', { cause })
}

interface Body extends AsyncIterable<Uint8Array> {
  readonly headers: { readonly 'content-type'?: string | undefined; readonly 'content-length'?: string | undefined }
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterator<Uint8Array>
}

/** The request body as a stream. */
export function uploadOf(body: Body, options: StreamOptions): Upload {
  const { types, maxBytes = limits.bodyBytes, lengthRequired } = options
  const mediaType = checkType(body.headers['content-type'], types)
  const { 'content-length': announced } = body.headers
  const size = announced === undefined ? undefined : Number(announced)
  if (size === undefined && lengthRequired)
    throw new Failure('lengthRequired', 'Send the length of the body in a Content-Length header.')
  if (size !== undefined && size > maxBytes) tooLarge(maxBytes)
  // Stopping early must not close the connection: an answer is still to be sent.
  return { mediaType, size, [Symbol.asyncIterator]: () => bounded(body.iterator({ destroyOnReturn: false }), maxBytes) }
}

/** Fails as soon as the size exceeds the limit. */
export async function* bounded(pieces: AsyncIterator<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for (;;) {
    const next = await pieces.next().catch((error: unknown) => {
      throw interrupted(error)
    })
    if (next.done) return
    size += next.value.length
    if (size > maxBytes) tooLarge(maxBytes)
    yield next.value
  }
}

/** A body that is already in memory. */
export function bytesOf(content: unknown, type: string | undefined, { types }: BytesOptions): Bytes {
  return { mediaType: checkType(type, types), content: content instanceof Uint8Array ? content : new Uint8Array() }
}
