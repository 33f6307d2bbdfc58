import type { KeyObject } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { openWith, sealBytes, sealWith } from '@icosa/tokens/gcm'

const chunkBytes = 2 ** 18

/**
 * Encrypts in chunks, whose associated data has their position and whether they are the last: they cannot be exchanged,
 * reordered or left out.
 */
export const sealStream = (key: KeyObject, context: string, content: Readable): Readable =>
  inChunks(content, chunkBytes, (chunk, position) => sealWith(key, `${context} ${position}`, chunk))

export const openStream = (key: KeyObject, context: string, sealed: Readable): Readable =>
  inChunks(sealed, chunkBytes + sealBytes, (chunk, position) => openWith(key, `${context} ${position}`, chunk))

/** Converts chunks of one size; the last one may be smaller, and is the only one if there is no content. */
function inChunks(from: Readable, size: number, convert: (chunk: Buffer, position: string) => Buffer): Readable {
  let pending = Buffer.alloc(0)
  let index = 0
  const chunks = new Transform({
    transform(data: Buffer, _, next) {
      try {
        pending = Buffer.concat([pending, data])
        // A full chunk may be the last one, which is only known once more follows.
        for (; pending.length > size; pending = pending.subarray(size))
          this.push(convert(pending.subarray(0, size), String(index++)))
        next()
      } catch (error) {
        next(error as Error)
      }
    },
    flush(next) {
      try {
        next(null, convert(pending, `${index} last`))
      } catch (error) {
        next(error as Error)
      }
    },
  })
  pipeline(from, chunks, () => {}) // an error in one destroys both
  return chunks
}
