import { pipeline, type Readable, Transform } from 'node:stream'
import { Failure } from '@icosa/kernel'

/**
 * restic names every part of a stream by its SHA-256, and verifies it on reading. It cannot tell whether it received or
 * returned all of the stream, so bytes are counted here.
 */
export interface CountedStream {
  readonly content: Readable
  bytes(): number
}

export function countBytes(source: Readable): CountedStream {
  let bytes = 0
  const content = new Transform({
    transform(chunk, _, next) {
      bytes += chunk.length
      next(null, chunk)
    },
  })
  pipeline(source, content, () => {}) // each ends with the error of the other
  return { content, bytes: () => bytes }
}

/** Passes the bytes on, and fails the stream before its end if their number is not the expected one. */
export function demandLength(source: Readable, expected: number): Readable {
  let bytes = 0
  const content = new Transform({
    transform(chunk, _, next) {
      bytes += chunk.length
      next(null, chunk)
    },
    flush(next) {
      if (bytes === expected) next()
      else next(new Failure('conflict', 'The data in the vault has an unexpected length: run icosa backup verify.'))
    },
  })
  pipeline(source, content, () => {})
  return content
}
