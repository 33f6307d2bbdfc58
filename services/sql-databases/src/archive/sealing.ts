import { createSecretKey, type KeyObject } from 'node:crypto'
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'
import { createZstdCompress, createZstdDecompress, zstdCompress, zstdDecompress } from 'node:zlib'
import type { Vault } from '@icosa/kernel'
import { openWith, sealWith } from '@icosa/tokens/gcm'
import { serviceName } from '../names.ts'

/** With which the archive is sealed: it lies in blobs, where the vault does not reach. */
export const archiveKeyOf = (vault: Pick<Vault, 'derive'>): KeyObject =>
  createSecretKey(vault.derive(`${serviceName} archive`).subarray(0, 32))

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** What fits into memory. `place` binds it to where it belongs: exchanged with another one, it is refused. */
export const sealBytes = async (key: KeyObject, place: string, content: Uint8Array): Promise<Buffer> =>
  sealWith(key, place, await compress(content))

export const openBytes = async (key: KeyObject, place: string, sealed: Uint8Array): Promise<Buffer> =>
  decompress(openWith(key, place, sealed))

const partBytes = 1024 ** 2
const headBytes = 4

/** What does not: in parts, of which none can be moved, left out or exchanged, and the last one says that it is. */
export function sealStream(key: KeyObject, place: string, content: Readable): Readable {
  let waiting: Buffer[] = []
  let bytes = 0
  let index = 0
  const part = (content: Buffer, isLast: boolean) => {
    const sealed = sealWith(key, placeOf(place, index++, isLast), content)
    const head = Buffer.alloc(headBytes)
    head.writeUInt32BE(sealed.length)
    return Buffer.concat([head, sealed])
  }
  const sealing = new Transform({
    transform(chunk: Buffer, _, next) {
      waiting.push(chunk)
      bytes += chunk.length
      if (bytes >= partBytes) {
        this.push(part(Buffer.concat(waiting), false))
        waiting = []
        bytes = 0
      }
      next()
    },
    flush(next) {
      next(null, part(Buffer.concat(waiting), true))
    },
  })
  pipeline(content, createZstdCompress(), sealing, () => {}) // each ends with the error of the other
  return sealing
}

export function openStream(key: KeyObject, place: string, sealed: Readable): Readable {
  let rest = Buffer.alloc(0)
  let index = 0
  const parts = new Transform({
    transform(chunk: Buffer, _, next) {
      rest = Buffer.concat([rest, chunk])
      attempt(next, () => {
        for (;;) {
          const length = rest.length < headBytes ? undefined : rest.readUInt32BE(0)
          // The last part stays until the end: only then it is known to be the last.
          if (length === undefined || rest.length <= headBytes + length) return
          this.push(openWith(key, placeOf(place, index++, false), rest.subarray(headBytes, headBytes + length)))
          rest = rest.subarray(headBytes + length)
        }
      })
    },
    flush(next) {
      attempt(next, () => this.push(openWith(key, placeOf(place, index, true), rest.subarray(headBytes))))
    },
  })
  const content = createZstdDecompress()
  pipeline(sealed, parts, content, () => {})
  return content
}

const placeOf = (place: string, index: number, isLast: boolean) => `${place} ${index}${isLast ? ' last' : ''}`

function attempt(next: TransformCallback, work: () => unknown): void {
  try {
    work()
    next()
  } catch (error) {
    next(error as Error)
  }
}
