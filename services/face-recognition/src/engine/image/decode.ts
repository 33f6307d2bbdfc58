import sharp from 'sharp'
import { decodeBmp, isBmp } from './bmp.ts'
import type { Picture } from './picture.ts'
import { Unreadable } from './refusal.ts'

/** Larger photos are made smaller: details beyond that find no further faces and cost time. */
const maxSide = 1280
export const maxPixels = 36_000_000
/** A face of fewer pixels cannot be told from another. */
const minSide = 36

// Of some dozens of formats that libvips reads, those of the API. BMP is read by a decoder of our own.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'],
})
sharp.cache(false)
sharp.concurrency(1)

/** A photo from the bytes of its file: its first frame, turned as its EXIF data say, without its colour profile. */
export async function decode(file: Uint8Array): Promise<Picture> {
  try {
    const input = isBmp(file) ? fromBmp(file) : sharp(file, safely)
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
    if (channels !== 3) throw new Unreadable('The image has no colours that can be read.')
    return { width, height, rgb: data, scale: Math.max(size.width, size.height) / Math.max(width, height) }
  } catch (error) {
    if (error instanceof Unreadable) throw error
    throw new Unreadable('The image cannot be read: send a whole JPEG, PNG, GIF (its first frame) or BMP.', {
      cause: error,
    })
  }
}

/** A colour profile would cost more time than all networks together, and changes next to nothing. */
const safely = {
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

/** The whole picture in a rectangle of so many pixels, at its top left; the rest is black. */
export async function letterbox(picture: Picture, across: number, down = across): Promise<Uint8Array> {
  const { width, height, rgb } = picture
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .resize(across, down, { fit: 'contain', position: 'left top', background: '#000', kernel: 'linear' })
    .raw()
    .toBuffer()
}
