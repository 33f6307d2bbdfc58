import { pipeline, type Readable, Transform } from 'node:stream'
import { Failure } from '@icosa/kernel'

/**
 * Restic names every part of a stream by its SHA-256, and the snapshot by that of all names; it checks them whenever it
 * reads. What it cannot know is whether it was given, or has handed on, all of it: that is counted here.
 */
export interface Counted {
  readonly content: Readable
  bytes(): number
}

export function counted(source: Readable): Counted {
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

/** The same bytes, if there are so many: otherwise the stream fails before whoever reads it takes it for whole. */
export function whole(source: Readable, expected: number): Readable {
  let bytes = 0
  const content = new Transform({
    transform(chunk, _, next) {
      bytes += chunk.length
      next(null, chunk)
    },
    flush(next) {
      if (bytes === expected) next()
      else next(new Failure('conflict', 'The data in the vault is not what was backed up: run icosa backup verify.'))
    },
  })
  pipeline(source, content, () => {})
  return content
}
