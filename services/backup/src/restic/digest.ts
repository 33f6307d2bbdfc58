import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { Failure } from '@icosa/kernel'

/** A stream with the hash of all that went through. */
export interface Hashed {
  readonly content: Readable
  digest(): Buffer
}

export function hashed(source: Readable): Hashed {
  const hash = createHash('sha256')
  const content = new Transform({
    transform(chunk, _, next) {
      hash.update(chunk)
      next(null, chunk)
    },
  })
  pipeline(source, content, () => {}) // each ends with the error of the other
  return { content, digest: () => hash.digest() }
}

/** The same bytes, if they have this hash: otherwise the stream fails before whoever reads it takes it for whole. */
export function verified(source: Readable, expected: Buffer): Readable {
  const hash = createHash('sha256')
  const content = new Transform({
    transform(chunk, _, next) {
      hash.update(chunk)
      next(null, chunk)
    },
    flush(next) {
      if (hash.digest().equals(expected)) next()
      else next(new Failure('conflict', 'The data in the vault is not what was backed up: run icosa backup verify.'))
    },
  })
  pipeline(source, content, () => {})
  return content
}
