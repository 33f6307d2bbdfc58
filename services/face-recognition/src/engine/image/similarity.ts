import type { Point } from './picture.ts'

/** Similarity transform (rotation, scale, translation) from a crop to its picture. */
export interface Similarity {
  /** Scale times the cosine, and times the sine, of the rotation. */
  readonly cos: number
  readonly sin: number
  readonly x: number
  readonly y: number
}

export const transform = ({ cos, sin, x, y }: Similarity, [u, v]: Point): Point => [
  cos * u - sin * v + x,
  sin * u + cos * v + y,
]

/** Transform for a crop of `side` pixels, showing a rotated square around a point. */
export function squareAt(centre: Point, size: number, angle: number, side: number): Similarity {
  const [cos, sin] = [(Math.cos(angle) * size) / side, (Math.sin(angle) * size) / side]
  const half = (side - 1) / 2
  const [x, y] = transform({ cos, sin, x: 0, y: 0 }, [half, half])
  return { cos, sin, x: centre[0] - x - 0.5, y: centre[1] - y - 0.5 }
}

/** Least-squares fit from points of a crop to those of the picture. */
export function fitSimilarity(from: readonly Point[], to: readonly Point[]): Similarity {
  const [fromX, fromY] = meanOf(from)
  const [toX, toY] = meanOf(to)
  let [size, along, across] = [0, 0, 0]
  for (const [index, point] of from.entries()) {
    const target = to[index] as Point
    const [u, v] = [point[0] - fromX, point[1] - fromY]
    const [x, y] = [target[0] - toX, target[1] - toY]
    size += u * u + v * v
    along += u * x + v * y
    across += u * y - v * x
  }
  const [cos, sin] = [along / size, across / size]
  const [x, y] = transform({ cos, sin, x: 0, y: 0 }, [fromX, fromY])
  return { cos, sin, x: toX - x, y: toY - y }
}

function meanOf(points: readonly Point[]): Point {
  let [x, y] = [0, 0]
  for (const point of points) {
    x += point[0]
    y += point[1]
  }
  return [x / points.length, y / points.length]
}
