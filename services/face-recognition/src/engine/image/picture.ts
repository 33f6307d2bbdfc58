/** Pixels of a photo as the engine looks at it: upright, and no larger than it needs them. */
export interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each pixel, row by row. */
  readonly rgb: Uint8Array
  /** How many pixels of the photo one of these stands for, along a side. */
  readonly scale: number
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export type Point = readonly [x: number, y: number]

export const middleOf = ({ left, top, width, height }: Box): Point => [left + width / 2, top + height / 2]

/** What two boxes have in common, as a share of what they cover together. */
export function overlap(one: Box, other: Box): number {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  if (width <= 0 || height <= 0) return 0
  const common = width * height
  return common / (one.width * one.height + other.width * other.height - common)
}
