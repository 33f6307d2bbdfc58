import { Readable } from 'node:stream'

/** The content as bytes, piece by piece, whatever it was given as. */
export async function* piecesOf(body: Uint8Array | Readable): AsyncGenerator<Uint8Array> {
  if (!(body instanceof Readable)) {
    yield body
    return
  }
  for await (const chunk of body) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}
