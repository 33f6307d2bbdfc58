/** Phones take up to 108 megapixels; larger pictures are likely decompression bombs. */
export const maxPixels = 120_000_000
/** Maximum file size of a picture, which is read into memory. */
export const maxBytes = 64 * 2 ** 20
