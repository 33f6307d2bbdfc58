import { createHash, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Blobs, Failure } from '@icosa/kernel'
import { headOf } from './content/head.ts'
import { watch } from './content/polyglot.ts'
import { accepted, headLength, type MediaType, typeOf } from './content/type.ts'
import { maxBytes } from './images/limits.ts'

/** A file that has come in, and lies in the blobs. */
export interface Received {
  readonly blob: string
  readonly type: MediaType
  readonly size: number
  readonly sha256: Buffer
  readonly crc32: number
}

/** All that belongs to one file is below one folder, so that nothing of it can be left behind. */
export const folderOf = (blob: string): string => blob.slice(0, blob.lastIndexOf('/') + 1)
const newBlob = (): string => `media/${randomUUID()}/original`

/** Keeps what is sent, as it comes. What is no media file is refused by its first bytes, before anything is kept. */
export async function receive(blobs: Blobs, sent: AsyncIterable<Uint8Array>, blob = newBlob()): Promise<Received> {
  const pieces = sent[Symbol.asyncIterator]()
  const first = await headOf(pieces, headLength)
  if (first.length === 0) throw new Failure('invalid', 'The body is empty: send a media file.')
  const type = typeOf(first) ?? unknownType()
  const hash = createHash('sha256')
  const watching = watch()
  let sum = 0
  let size = 0
  const watched = async function* () {
    for (let piece: Uint8Array | undefined = first; piece; ) {
      hash.update(piece)
      watching.see(piece)
      sum = crc32(piece, sum)
      size += piece.length
      if (type.kind === 'image' && size > maxBytes)
        throw new Failure('tooLarge', `A picture may have ${maxBytes / 2 ** 20} MiB at most.`)
      yield piece
      const next: IteratorResult<Uint8Array> = await pieces.next()
      piece = next.done ? undefined : next.value
    }
  }
  await blobs.put(blob, watched(), { contentType: type.contentType })
  const other = watching.found()
  if (other !== undefined) {
    await blobs.delete(blob)
    throw new Failure('invalid', `The file is ${other}, too: send one that is a media file only.`)
  }
  return { blob, type, size, sha256: hash.digest(), crc32: sum >>> 0 }
}

function unknownType(): never {
  throw new Failure('invalid', `This is no media file that can be taken: send ${accepted}.`)
}

export async function contentOf(blobs: Blobs, blob: string): Promise<Buffer> {
  return buffer((await blobs.get(blob)).body)
}

/** The original and all copies. */
export async function removeFile(blobs: Blobs, blob: string): Promise<void> {
  for (;;) {
    const { items } = await blobs.list(folderOf(blob), { limit: 1_000 })
    if (items.length === 0) return
    await Promise.all(items.map(({ key }) => blobs.delete(key)))
  }
}
