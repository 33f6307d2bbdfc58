const side = 300
/** More than any store asks of artwork (3,000 by 3,000), and far less than an image can claim to have. */
const maxPixels = 36_000_000
const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif'])

export const thumbnailKey = (name: string): string => `artwork/${name.slice(0, 2)}/${name}.jpg`

/** Loaded by the first image: a node starts faster without it. */
async function imaging() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** A small square of an image, beside the node's own work; undefined if it is none that we show. */
export async function thumbnailOf(image: Uint8Array): Promise<Uint8Array | undefined> {
  const sharp = await imaging()
  try {
    const picture = sharp(image, { limitInputPixels: maxPixels, pages: 1, failOn: 'error' })
    const { format } = await picture.metadata()
    if (!formats.has(format ?? '')) return undefined
    return await picture
      .rotate()
      .resize(side, side, { fit: 'cover' })
      .flatten({ background: '#fff' })
      .jpeg({ quality: 82 })
      .toBuffer()
  } catch {
    return undefined
  }
}
