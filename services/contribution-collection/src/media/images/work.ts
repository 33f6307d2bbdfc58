import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { positionIn } from '../content/exif.ts'
import type { Format } from '../formats.ts'
import { maxPixels } from './limits.ts'
import type { Copy, Inspection } from './pictures.ts'

// Of some dozens of formats that libvips reads, those that we accept.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
})
sharp.cache(false)
sharp.concurrency(1)

export class Unreadable extends Error {}

const safely: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error', pages: 1, sequentialRead: true }

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Unreadable) throw error
    const { message } = error as Error
    const isLarge = /exceeds pixel limit/i.test(message)
    throw new Unreadable(
      isLarge
        ? `The image has more than ${maxPixels / 1e6} megapixels.`
        : `The image cannot be read: ${message.split('\n')[0]}`,
      { cause: error },
    )
  }
}

/** Looks at the head of a picture only. */
export const inspect = (file: Uint8Array): Promise<Inspection> =>
  reading(async () => {
    const { width, height, format, exif, autoOrient } = await sharp(file, {
      ...safely,
      limitInputPixels: false,
    }).metadata()
    if (width * height > maxPixels) throw new Unreadable(`The image has more than ${maxPixels / 1e6} megapixels.`)
    // EXIF is TIFF, so that of a TIFF is the file itself.
    const block = exif ?? (format === 'tiff' ? file : undefined)
    return { ...autoOrient, position: block && positionIn(block) }
  })

/** Copies upright and in sRGB, without metadata: sharp writes none unless it is told to. */
export const copies = (file: Uint8Array, formats: readonly Format[]): Promise<Copy[]> =>
  reading(async () => {
    const made: Copy[] = []
    for (const { label, box, preserveAspectRatio } of formats) {
      const upright = sharp(file, safely).rotate()
      const { data, info } = await sized(upright, box, preserveAspectRatio)
        .flatten({ background: '#fff' })
        .toColourspace('srgb')
        .jpeg({ quality: box ? 82 : 90, mozjpeg: false, progressive: box !== undefined })
        .toBuffer({ resolveWithObject: true })
      made.push({ label, content: data, width: info.width, height: info.height })
    }
    return made
  })

function sized(picture: Sharp, box: Format['box'], preserveAspectRatio: boolean): Sharp {
  if (!box) return picture
  return picture.resize({
    ...box,
    fit: preserveAspectRatio ? 'inside' : 'cover',
    withoutEnlargement: preserveAspectRatio,
  })
}
