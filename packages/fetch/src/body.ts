import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Failure } from '@icosa/kernel'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Compression shrinks feeds and pages to a fifth, and some servers compress unasked: the decoder is needed anyway. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br'

/** Reads a body, up to `maxBytes` decoded: a decompression bomb is stopped while it expands. */
export async function readBody(wire: Readable, coding: string | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of decoded(wire, coding?.trim().toLowerCase() ?? 'identity') as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

export function tooLarge(maxBytes: number): Failure {
  return new Failure('tooLarge', `The response exceeds the limit of ${maxBytes} bytes: fetch something smaller.`)
}

function decoded(wire: Readable, coding: string): Readable {
  if (coding === 'identity') return wire
  const decoder = decoders[coding]
  // No honest server sends a second layer ('gzip, gzip'), so there is no decoder for it.
  if (decoder === undefined) {
    throw new Failure('unavailable', `The response is encoded as '${coding}', which was not requested.`)
  }
  return pipeline(wire, decoder(), () => {})
}
