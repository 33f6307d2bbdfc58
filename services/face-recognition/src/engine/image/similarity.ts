import type { Point } from './picture.ts'

/** A turn, a scale and a shift, from the pixels of a crop to those of its picture. */
export interface Similarity {
  /** The scale times the cosine, and times the sine, of the turn. */
  readonly cos: number
  readonly sin: number
  readonly x: number
  readonly y: number
}

export const placed = ({ cos, sin, x, y }: Similarity, [u, v]: Point): Point => [
  cos * u - sin * v + x,
  sin * u + cos * v + y,
]

/** The square of a picture around a point, turned by an angle, as a crop of `side` pixels. */
export function squareAt(middle: Point, size: number, angle: number, side: number): Similarity {
  const [cos, sin] = [(Math.cos(angle) * size) / side, (Math.sin(angle) * size) / side]
  const half = (side - 1) / 2
  const [x, y] = placed({ cos, sin, x: 0, y: 0 }, [half, half])
  return { cos, sin, x: middle[0] - x - 0.5, y: middle[1] - y - 0.5 }
}

/** The one that takes the points of a crop to those of the picture, as nearly as one can. */
export function fitted(from: readonly Point[], to: readonly Point[]): Similarity {
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
  const [x, y] = placed({ cos, sin, x: 0, y: 0 }, [fromX, fromY])
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
