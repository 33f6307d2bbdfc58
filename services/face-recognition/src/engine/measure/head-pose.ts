import type { Point } from '../image/picture.ts'
import type { Mesh } from '../look/mesh.ts'

export interface HeadPose {
  /** Degrees. Positive: the chin is down. */
  readonly pitch: number
  /** Positive: the head leans clockwise in the picture. */
  readonly roll: number
  /** Positive: the face looks to the right of the picture. */
  readonly yaw: number
}

/** Mesh points of two lines: from ear to ear, and from the forehead to the chin. */
const [leftSide, rightSide, forehead, chin] = [234, 454, 10, 152]

export function headPoseOf(mesh: Mesh): HeadPose {
  const across = line(mesh, leftSide, rightSide)
  const down = line(mesh, forehead, chin)
  return {
    pitch: degrees(Math.atan2(down.depth, Math.hypot(down.x, down.y))),
    roll: degrees(Math.atan2(across.y, across.x)),
    yaw: degrees(Math.atan2(across.depth, Math.hypot(across.x, across.y))),
  }
}

function line({ points, depths }: Mesh, from: number, to: number) {
  const [start, end] = [points[from] as Point, points[to] as Point]
  return { x: end[0] - start[0], y: end[1] - start[1], depth: (depths[to] as number) - (depths[from] as number) }
}

const degrees = (radians: number) => Math.round((radians * 1800) / Math.PI) / 10
