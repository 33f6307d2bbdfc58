import { type Blobs, Failure } from '@icosa/kernel'
import type { ShownContribution } from '../contributions/view.ts'
import { extensionOf } from '../media/content/type.ts'
import { fullsize } from '../media/formats.ts'
import type { Wanted } from './request.ts'
import type { ExportedFile } from './store.ts'
import type { Caption } from './tags/caption.ts'
import { captionSegments, startOfImage } from './tags/jpeg.ts'
import { xmpOf } from './tags/xmp.ts'
import { textOf } from './text.ts'
import { crc32, crc32Joined } from './zip/crc32.ts'
import type { Chapter, Entry } from './zip/writing.ts'

/** A contribution with its files, as an export has it. */
export async function chapterOf(
  wanted: Wanted,
  shown: ShownContribution,
  files: readonly ExportedFile[],
  blobs: Blobs,
): Promise<Chapter> {
  const { created, id, urlWords } = shown
  const folder = `contributions/${urlWords}`
  const named = (name: string, content: Buffer): Entry => ({
    name: `${folder}/${name}`,
    modified: created,
    size: content.length,
    crc32: crc32(content),
    begins: content.toString('base64'),
  })
  const text = Buffer.from(textOf(shown))
  const entries: Entry[] = []
  if (wanted.individual) entries.push(named('contribution.txt', text))
  if (wanted.json) entries.push(named('contribution.json', Buffer.from(`${JSON.stringify(shown, null, 2)}\n`)))
  let media = 0
  for (const [index, file] of (wanted.format === 'none' ? [] : files).entries()) {
    const source = await sourceOf(wanted, file, blobs)
    const name = `${String(index + 1).padStart(2, '0')}-${file.id}`
    const caption = wanted.format === 'tagged' ? captionOf(shown) : undefined
    const isTagged = caption && source.contentType === 'image/jpeg' && source.isCopy
    const content = isTagged ? taggedContent(source, caption) : plainContent(source)
    entries.push({ name: `${folder}/${name}.${source.extension}`, modified: created, ...content })
    if (caption && !isTagged) entries.push(named(`${name}.xmp`, xmpOf(caption)))
    media++
  }
  return {
    position: { createdAt: created, id },
    entries,
    media,
    text: wanted.combined ? Buffer.concat([text, Buffer.from('\n')]) : Buffer.alloc(0),
  }
}

interface Source {
  readonly key: string
  readonly size: number
  readonly crc32: number
  readonly contentType: string
  readonly extension: string
  /** One of ours, which has no metadata. */
  readonly isCopy: boolean
}

/** The original where it is wanted and allowed, or where there is no copy; else the largest copy. */
async function sourceOf({ format }: Wanted, file: ExportedFile, blobs: Blobs): Promise<Source> {
  const copy = file.variants.find(({ label }) => label === fullsize)
  if (copy && !(format === 'original' && file.mayHaveOriginal)) {
    const { blob: key, size, contentType } = copy
    const extension = extensionOf(contentType)
    return { key, size, contentType, extension, isCopy: true, crc32: copy.crc32 ?? (await sumOf(blobs, key)) }
  }
  if (!file.mayHaveOriginal) throw new Failure('internal', `The file ${file.id} has no copy, and is not theirs.`)
  const { blob: key, contentType } = file
  const sum = file.crc32 === null ? await sumOf(blobs, key) : Number(file.crc32)
  return { key, size: Number(file.size), contentType, extension: extensionOf(contentType), isCopy: false, crc32: sum }
}

/** Of what was received before sums were kept. */
async function sumOf(blobs: Blobs, key: string): Promise<number> {
  let sum = 0
  for await (const piece of (await blobs.get(key)).body) sum = crc32(piece, sum)
  return sum
}

const plainContent = ({ key, size, crc32: sum }: Source) => ({ size, crc32: sum, blob: { key, from: 0 } })

/** The caption behind the first two bytes of the picture, the rest as it is. Its sum comes from those of both. */
function taggedContent({ key, size, crc32: whole }: Source, caption: Caption) {
  const begins = Buffer.concat([startOfImage, captionSegments(caption)])
  const { length } = startOfImage
  // sum(start + rest) = join(sum(start), sum(rest)): the last is what is looked for.
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
