const side = 300
/** More than any store requires of artwork (3,000 by 3,000). */
const maxPixels = 36_000_000
const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif'])

export const thumbnailKey = (name: string): string => `artwork/${name.slice(0, 2)}/${name}.jpg`

/** Loaded with the first image, so that a node starts faster. */
async function imaging() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

/** A small square, made off the main thread; undefined for unsupported images. */
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
