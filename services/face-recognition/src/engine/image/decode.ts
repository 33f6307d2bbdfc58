import sharp from 'sharp'
import { decodeBmp, isBmp } from './bmp.ts'
import type { Picture } from './picture.ts'
import { Unreadable } from './refusal.ts'

/** Larger photos are scaled down: more detail takes time and finds no further faces. */
const maxSide = 1280
export const maxPixels = 36_000_000
/** Smaller faces cannot be recognized. */
const minSide = 36

// Only the formats of the API; BMP has a decoder of its own.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

/** Decodes the first frame, rotated by its EXIF orientation, ignoring its colour profile. */
export async function decode(file: Uint8Array): Promise<Picture> {
  try {
    const input = isBmp(file) ? fromBmp(file) : sharp(file, safeOptions)
    const { autoOrient: size } = await input.metadata()
    if (Math.min(size.width, size.height) < minSide)
      throw new Unreadable(`The image has ${size.width} by ${size.height} pixels: at least ${minSide} are needed.`)
    const { data, info } = await input
      .rotate()
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true, kernel: 'linear' })
      .flatten({ background: '#808080' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    if (channels !== 3) throw new Unreadable('The colours of the image cannot be read.')
    return { width, height, rgb: data, scale: Math.max(size.width, size.height) / Math.max(width, height) }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('The image cannot be read: send a whole JPEG, PNG, GIF (its first frame) or BMP.', {
      cause: error,
    })
  }
}

/** Applying a colour profile would take longer than all networks, and changes next to nothing. */
const safeOptions = {
  limitInputPixels: maxPixels,
  failOn: 'error',
  pages: 1,
  sequentialRead: true,
  ignoreIcc: true,
} as const

function fromBmp(file: Uint8Array) {
  const { width, height, rgb } = decodeBmp(file, maxPixels)
  return sharp(rgb, { raw: { width, height, channels: 3 } })
}

/** Fits the picture into the top left of a rectangle; the rest is black. */
export async function letterbox(picture: Picture, across: number, down = across): Promise<Uint8Array> {
  const { width, height, rgb } = picture
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(across, down, { fit: 'contain', position: 'left top', background: '#000', kernel: 'linear' })
    .raw()
    .toBuffer()
}
