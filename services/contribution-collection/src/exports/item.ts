import { type Blobs, Failure } from '@icosa/kernel'
import type { ShownContribution } from '../contributions/view.ts'
import { extensionOf } from '../media/content/type.ts'
import { fullsize } from '../media/formats.ts'
import type { ExportOptions } from './request.ts'
import type { ExportedFile } from './store.ts'
import type { Caption } from './tags/caption.ts'
import { captionSegments, startOfImage } from './tags/jpeg.ts'
import { xmpOf } from './tags/xmp.ts'
import { textOf } from './text.ts'
import { crc32, crc32Joined } from './zip/crc32.ts'
import type { Entry, ExportItem } from './zip/writer.ts'

/** A contribution's zip entries. */
export async function exportItemOf(
  options: ExportOptions,
  contribution: ShownContribution,
  files: readonly ExportedFile[],
  blobs: Blobs,
): Promise<ExportItem> {
  const { created, id, urlWords } = contribution
  const folder = `contributions/${urlWords}`
  const entryOf = (name: string, content: Buffer): Entry => ({
    name: `${folder}/${name}`,
    modified: created,
    size: content.length,
    crc32: crc32(content),
    begins: content.toString('base64'),
  })
  const text = Buffer.from(textOf(contribution))
  const entries: Entry[] = []
  if (options.individual) entries.push(entryOf('contribution.txt', text))
  if (options.json)
    entries.push(entryOf('contribution.json', Buffer.from(`${JSON.stringify(contribution, null, 2)}\n`)))
  let media = 0
  for (const [index, file] of (options.format === 'none' ? [] : files).entries()) {
    const source = await sourceOf(options, file, blobs)
    const name = `${String(index + 1).padStart(2, '0')}-${file.id}`
    const caption = options.format === 'tagged' ? captionOf(contribution) : undefined
    const isTagged = caption && source.contentType === 'image/jpeg' && source.isCopy
    const content = isTagged ? taggedContent(source, caption) : plainContent(source)
    entries.push({ name: `${folder}/${name}.${source.extension}`, modified: created, ...content })
    if (caption && !isTagged) entries.push(entryOf(`${name}.xmp`, xmpOf(caption)))
    media++
  }
  return {
    position: { createdAt: created, id },
    entries,
    media,
    text: options.combined ? Buffer.concat([text, Buffer.from('\n')]) : Buffer.alloc(0),
  }
}

interface Source {
  readonly key: string
  readonly size: number
  readonly crc32: number
  readonly contentType: string
  readonly extension: string
  /** A rendition, which has no metadata. */
  readonly isCopy: boolean
}

/** The original if requested and permitted, or if there is no rendition; else the full-size rendition. */
async function sourceOf({ format }: ExportOptions, file: ExportedFile, blobs: Blobs): Promise<Source> {
  const copy = file.variants.find(({ label }) => label === fullsize)
  if (copy && !(format === 'original' && file.mayHaveOriginal)) {
    const { blob: key, size, contentType } = copy
    const extension = extensionOf(contentType)
    return { key, size, contentType, extension, isCopy: true, crc32: copy.crc32 ?? (await checksumOf(blobs, key)) }
  }
  if (!file.mayHaveOriginal)
    throw new Failure('internal', `The file ${file.id} has no rendition, and its original is not permitted.`)
  const { blob: key, contentType } = file
  const sum = file.crc32 === null ? await checksumOf(blobs, key) : Number(file.crc32)
  return { key, size: Number(file.size), contentType, extension: extensionOf(contentType), isCopy: false, crc32: sum }
}

/** For files received before checksums were stored. */
async function checksumOf(blobs: Blobs, key: string): Promise<number> {
  let sum = 0
  for await (const piece of (await blobs.get(key)).body) sum = crc32(piece, sum)
  return sum
}

const plainContent = ({ key, size, crc32: sum }: Source) => ({ size, crc32: sum, blob: { key, from: 0 } })

/** Inserts the caption after the first two bytes. The checksum is combined from those of both parts. */
function taggedContent({ key, size, crc32: whole }: Source, caption: Caption) {
  const begins = Buffer.concat([startOfImage, captionSegments(caption)])
  const { length } = startOfImage
  // Solves sum(start + rest) = join(sum(start), sum(rest)) for the last term.
  const rest = crc32Joined(crc32(startOfImage), 0, size - length) ^ whole
  return {
    size: begins.length + size - length,
    crc32: crc32Joined(crc32(begins), rest >>> 0, size - length),
    begins: begins.toString('base64'),
    blob: { key, from: length },
  }
}

function captionOf({ headline = '', body = '', attribution, created, place, id }: ShownContribution): Caption {
  return {
    headline,
    description: body,
    credit: attribution,
    created: new Date(created),
    place: place?.name ?? '',
    country: place?.country ?? '',
    latitude: place?.latLong?.latitude,
    longitude: place?.latLong?.longitude,
    id,
  }
}
