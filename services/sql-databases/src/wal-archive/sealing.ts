import { createSecretKey, type KeyObject } from 'node:crypto'
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import { promisify } from 'node:util'
import { createZstdCompress, createZstdDecompress, zstdCompress, zstdDecompress } from 'node:zlib'
import type { CellVault } from '@icosa/kernel'
import { openWith, sealWith } from '@icosa/tokens/gcm'
import { serviceName } from '../names.ts'

/** Encryption key of the archive, derived because the vault does not seal blobs. */
export const archiveKeyOf = (cellVault: Pick<CellVault, 'derive'>): KeyObject =>
  createSecretKey(cellVault.derive(`${serviceName} archive`).subarray(0, 32))

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Compresses and encrypts (AES-GCM). `name` is the associated data: under another name the ciphertext is refused. */
export const sealBytes = async (key: KeyObject, name: string, content: Uint8Array): Promise<Buffer> =>
  sealWith(key, name, await compress(content))

export const openBytes = async (key: KeyObject, name: string, sealed: Uint8Array): Promise<Buffer> =>
  decompress(openWith(key, name, sealed))

const chunkBytes = 1024 ** 2
const lengthBytes = 4

/** Chunked AEAD: chunks cannot be reordered, dropped or exchanged, and the last one is marked against truncation. */
export function sealStream(key: KeyObject, name: string, content: Readable): Readable {
  let buffered: Buffer[] = []
  let bytes = 0
  let index = 0
  const seal = (content: Buffer, isLast: boolean) => {
    const sealed = sealWith(key, chunkName(name, index++, isLast), content)
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32BE(sealed.length)
    return Buffer.concat([length, sealed])
  }
  const sealing = new Transform({
    transform(chunk: Buffer, _, next) {
      buffered.push(chunk)
      bytes += chunk.length
      if (bytes >= chunkBytes) {
        this.push(seal(Buffer.concat(buffered), false))
        buffered = []
        bytes = 0
      }
      next()
    },
    flush(next) {
      next(null, seal(Buffer.concat(buffered), true))
    },
  })
  pipeline(content, createZstdCompress(), sealing, () => {}) // an error in one destroys all
  return sealing
}

export function openStream(key: KeyObject, name: string, sealed: Readable): Readable {
  let rest = Buffer.alloc(0)
  let index = 0
  const chunks = new Transform({
    transform(chunk: Buffer, _, next) {
      rest = Buffer.concat([rest, chunk])
      attempt(next, () => {
        for (;;) {
          const length = rest.length < lengthBytes ? undefined : rest.readUInt32BE(0)
          // The last chunk is opened in flush: only then is it known to be the last.
          if (length === undefined || rest.length <= lengthBytes + length) return
          this.push(openWith(key, chunkName(name, index++, false), rest.subarray(lengthBytes, lengthBytes + length)))
          rest = rest.subarray(lengthBytes + length)
        }
      })
    },
    flush(next) {
      attempt(next, () => this.push(openWith(key, chunkName(name, index, true), rest.subarray(lengthBytes))))
    },
  })
  const content = createZstdDecompress()
  pipeline(sealed, chunks, content, () => {})
  return content
}

const chunkName = (name: string, index: number, isLast: boolean) => `${name} ${index}${isLast ? ' last' : ''}`

function attempt(next: TransformCallback, work: () => unknown): void {
  try {
    work()
    next()
  } catch (error) {
    next(error as Error)
  }
}
