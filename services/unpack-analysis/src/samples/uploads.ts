import { createHash, type Hash, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Bytes, Upload } from '@icosa/contract'
import { type Blobs, Failure } from '@icosa/kernel'
import { maxBytes } from '../shapes/contract.ts'
import type { Sender } from './sender.ts'
import type { Shelf } from './shelf.ts'

/** A sample that was received, and is kept for a while. */
export interface Sample {
  readonly key: string
  readonly size: number
  readonly md5: string
  readonly sha256: string
  readonly sha512: string
}

const algorithms = ['md5', 'sha256', 'sha512'] as const

/** Keeps what is sent, as it comes, within the sender's budget. */
export async function receive(sender: Sender, sent: Upload | Bytes): Promise<Sample> {
  const { shelf, held, tenant } = sender
  const { blobs, prefix } = shelf
  const hashes = algorithms.map((name) => createHash(name))
  const key = `${prefix}uploads/${randomUUID()}`
  const pieces = 'content' in sent ? [sent.content] : sent
  const announced = 'content' in sent ? sent.content.length : maxBytes
  const { size } = await held.budgets.forBytes(tenant, announced, () => blobs.put(key, hashed(pieces, hashes)))
  if (size === 0) {
    await blobs.delete(key)
    throw new Failure('invalid', 'body/file is empty: send a program.')
  }
  const [md5 = '', sha256 = '', sha512 = ''] = hashes.map((hash) => hash.digest('hex'))
  return { key, size, md5, sha256, sha512 }
}

async function* hashed(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  hashes: readonly Hash[],
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    for (const hash of hashes) hash.update(piece)
    yield piece
  }
}

export async function contentOf(blobs: Blobs, key: string): Promise<Buffer> {
  const { body } = await blobs.get(key)
  return buffer(body)
}

/** Everything of one sender. */
export async function deleteAll({ blobs, prefix }: Shelf): Promise<void> {
  for (;;) {
    const { items } = await blobs.list(prefix, { limit: 1_000 })
    if (items.length === 0) return
    await Promise.all(items.map(({ key }) => blobs.delete(key)))
  }
}
