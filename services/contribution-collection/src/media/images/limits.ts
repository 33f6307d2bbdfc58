/** A phone takes 108 megapixels at most in its usual settings; what claims more is there to take our memory. */
export const maxPixels = 120_000_000
/** Of a picture's file: it is read as a whole. */
export const maxBytes = 64 * 2 ** 20
