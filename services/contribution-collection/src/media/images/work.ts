import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { positionIn } from '../content/exif.ts'
import type { Format } from '../formats.ts'
import { maxPixels } from './limits.ts'
import type { Copy, Inspection } from './pictures.ts'

// Of the dozens of formats that libvips reads, only the accepted ones.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Tiff', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
})
sharp.cache(false)
sharp.concurrency(1)

export class Unreadable extends Error {}

const safeOptions: SharpOptions = { limitInputPixels: maxPixels, failOn: 'error', pages: 1, sequentialRead: true }

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

/** Reads only the header of a picture. */
export const inspect = (file: Uint8Array): Promise<Inspection> =>
  reading(async () => {
    const { width, height, format, exif, autoOrient } = await sharp(file, {
      ...safeOptions,
      limitInputPixels: false,
    }).metadata()
    if (width * height > maxPixels) throw new Unreadable(`The image has more than ${maxPixels / 1e6} megapixels.`)
    // EXIF is TIFF, so the EXIF of a TIFF is the file itself.
    const block = exif ?? (format === 'tiff' ? file : undefined)
    return { ...autoOrient, position: block && positionIn(block) }
  })

/** Upright renditions in sRGB. By default, sharp writes no metadata. */
export const copies = (file: Uint8Array, formats: readonly Format[]): Promise<Copy[]> =>
  reading(async () => {
    const results: Copy[] = []
    for (const { label, box, preserveAspectRatio } of formats) {
      const upright = sharp(file, safeOptions).rotate()
      const { data, info } = await sized(upright, box, preserveAspectRatio)
        .flatten({ background: '#fff' })
        .toColourspace('srgb')
        .jpeg({ quality: box ? 82 : 90, mozjpeg: false, progressive: box !== undefined })
        .toBuffer({ resolveWithObject: true })
      results.push({ label, content: data, width: info.width, height: info.height })
    }
    return results
  })

function sized(picture: Sharp, box: Format['box'], preserveAspectRatio: boolean): Sharp {
  if (!box) return picture
  return picture.resize({
    ...box,
    fit: preserveAspectRatio ? 'inside' : 'cover',
    withoutEnlargement: preserveAspectRatio,
  })
}
