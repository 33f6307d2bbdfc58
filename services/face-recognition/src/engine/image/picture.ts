/** Upright pixels of a photo, scaled down to the size that the engine needs. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each pixel, row by row. */
  readonly rgb: Uint8Array
  /** Width of the photo divided by that of the picture. */
  readonly scale: number
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export type Point = readonly [x: number, y: number]

export const centreOf = ({ left, top, width, height }: Box): Point => [left + width / 2, top + height / 2]

/** Intersection over union. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top)
  if (width <= 0 || height <= 0) return 0
  const common = width * height
  return common / (a.width * a.height + b.width * b.height - common)
}
