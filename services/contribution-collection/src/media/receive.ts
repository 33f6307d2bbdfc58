import { createHash, randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Blobs, Failure } from '@icosa/kernel'
import { headOf } from './content/head.ts'
import { watch } from './content/polyglot.ts'
import { accepted, headLength, type MediaType, typeOf } from './content/type.ts'
import { maxBytes } from './images/limits.ts'

/** A file in blob storage. */
export interface Received {
  readonly blob: string
  readonly type: MediaType
  readonly size: number
  readonly sha256: Buffer
  readonly crc32: number
}

/** A file and its renditions share a folder, so that all are deleted together. */
export const folderOf = (blob: string): string => blob.slice(0, blob.lastIndexOf('/') + 1)
const newBlob = (): string => `media/${randomUUID()}/original`

/** Streams a file to blob storage. Other types are refused by their first bytes, before anything is stored. */
export async function receive(blobs: Blobs, content: AsyncIterable<Uint8Array>, blob = newBlob()): Promise<Received> {
  const pieces = content[Symbol.asyncIterator]()
  const first = await headOf(pieces, headLength)
  if (first.length === 0) throw new Failure('invalid', 'The body is empty: send a media file.')
  const type = typeOf(first) ?? unknownType()
  const hash = createHash('sha256')
  const detector = watch()
  let sum = 0
  let size = 0
  const watched = async function* () {
    for (let piece: Uint8Array | undefined = first; piece; ) {
      hash.update(piece)
      detector.see(piece)
      sum = crc32(piece, sum)
      size += piece.length
      if (type.kind === 'image' && size > maxBytes)
        throw new Failure('tooLarge', `A picture may have at most ${maxBytes / 2 ** 20} MiB.`)
      yield piece
      const next: IteratorResult<Uint8Array> = await pieces.next()
      piece = next.done ? undefined : next.value
    }
  }
  await blobs.put(blob, watched(), { contentType: type.contentType })
  const other = detector.found()
  if (other !== undefined) {
    await blobs.delete(blob)
    throw new Failure('invalid', `The file is also ${other}: send a file that is only media.`)
  }
  return { blob, type, size, sha256: hash.digest(), crc32: sum >>> 0 }
}

function unknownType(): never {
  throw new Failure('invalid', `This is not a supported media file: send ${accepted}.`)
}

export async function contentOf(blobs: Blobs, blob: string): Promise<Buffer> {
  return buffer((await blobs.get(blob)).body)
}

export async function removeFile(blobs: Blobs, blob: string): Promise<void> {
  for (;;) {
    const { items } = await blobs.list(folderOf(blob), { limit: 1_000 })
    if (items.length === 0) return
    await Promise.all(items.map(({ key }) => blobs.delete(key)))
  }
}
