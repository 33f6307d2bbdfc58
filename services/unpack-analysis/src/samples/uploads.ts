import { createHash, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Bytes } from '@icosa/contract'
import { type Blobs, Failure } from '@icosa/kernel'
import type { Sender } from './sender.ts'
import type { SenderStorage } from './storage.ts'

/** A stored sample. */
export interface Sample {
  readonly key: string
  readonly size: number
  readonly md5: string
  readonly sha256: string
  readonly sha512: string
}

/** Stores a sample within the sender's budget. */
export async function receive({ storage, runtime, tenant }: Sender, { content }: Bytes): Promise<Sample> {
  const { blobs, prefix } = storage
  if (content.length === 0) throw new Failure('invalid', 'body/file is empty: send a program.')
  const key = `${prefix}uploads/${randomUUID()}`
  const { size } = await runtime.budgets.forBytes(tenant, content.length, () => blobs.put(key, content))
  const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex')
  return { key, size, md5: digest('md5'), sha256: digest('sha256'), sha512: digest('sha512') }
}

export async function contentOf(blobs: Blobs, key: string): Promise<Buffer> {
  const { body } = await blobs.get(key)
  return buffer(body)
}

/** Deletes all blobs of a sender. */
export async function deleteAll({ blobs, prefix }: SenderStorage): Promise<void> {
  for (;;) {
    const { items } = await blobs.list(prefix, { limit: 1_000 })
    if (items.length === 0) return
    await Promise.all(items.map(({ key }) => blobs.delete(key)))
  }
}
