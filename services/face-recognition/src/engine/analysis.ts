import { decode } from './image/decode.ts'
import { type Box, overlap, type Picture, type Point } from './image/picture.ts'
import { chipOf, chipSide, type Descriptor, openDescriber } from './look/describe.ts'
import { type Detection, openFinder } from './look/find.ts'
import { type Mesh, openMesher } from './look/mesh.ts'
import { type HeadPose, headPoseOf } from './measure/head-pose.ts'
import { type LandmarkName, landmarkPlaces } from './measure/names.ts'
import { type Quality, qualityOf } from './measure/quality.ts'

/** A photo, and which results to compute. */
export interface Question {
  readonly image: Uint8Array
  /** Also use the second network. */
  readonly small: boolean
  readonly descriptors: boolean
  readonly landmarks: boolean
  readonly attributes: boolean
  /** Only the face that overlaps most with this box, in pixels of the photo. */
  readonly target?: Box | undefined
  /** Maximum number of faces, the largest first. */
  readonly most: number
}

export interface Face {
  /** In pixels of the photo, upright, within its edges. */
  readonly box: Box
  readonly score: number
  readonly landmarks?: Landmarks
  readonly headPose?: HeadPose
  readonly quality?: Quality
  readonly descriptor?: Descriptor
}

export interface Analysis {
  readonly width: number
  readonly height: number
  /** The largest first. */
  readonly faces: readonly Face[]
}

export type Analyse = (question: Question) => Promise<Analysis>

/** Loads all networks. The returned function blocks its thread while it runs. */
export async function openAnalysis(folder: string): Promise<Analyse> {
  const finder = await openFinder(folder)
  const mesher = await openMesher(folder)
  const describe = await openDescriber(folder)

  const describeFace = async (
    picture: Picture,
    detection: Detection,
    { descriptors, landmarks, attributes }: Question,
  ) => {
    const face = { box: boxOf(picture, detection.box), score: detection.score }
    if (!descriptors && !landmarks && !attributes) return face
    const mesh = await mesher(picture, detection)
    const chip = descriptors || attributes ? chipOf(picture, mesh) : undefined
    return {
      ...face,
      ...(landmarks && { landmarks: landmarksOf(mesh, picture.scale) }),
      ...(attributes && chip && { headPose: headPoseOf(mesh), quality: qualityOf(chip, chipSide) }),
      ...(descriptors && chip && { descriptor: await describe(chip) }),
    }
  }

  return async (question) => {
    const picture = await decode(question.image)
    const all = await finder.find(picture, { small: question.small })
    const detections = question.target ? targeted(all, question.target, picture.scale) : all.slice(0, question.most)
    const faces: Face[] = []
    for (const detection of detections) faces.push(await describeFace(picture, detection, question))
    const whole = (size: number) => Math.round(size * picture.scale)
    return { width: whole(picture.width), height: whole(picture.height), faces }
  }
}

/** Low enough for rectangles drawn by hand. */
const minOverlap = 0.1

function targeted(detections: readonly Detection[], target: Box, scale: number): Detection[] {
  const inPicture = {
    left: target.left / scale,
    top: target.top / scale,
    width: target.width / scale,
    height: target.height / scale,
  }
  return detections
    .filter(({ box }) => overlap(box, inPicture) > minOverlap)
    .toSorted((p, q) => overlap(q.box, inPicture) - overlap(p.box, inPicture))
    .slice(0, 1)
}

/** Rounds to whole pixels of the photo, at least one, clipped to its edges. */
function boxOf({ width, height, scale }: Picture, box: Box): Box {
  const within = (value: number, max: number) =>
    Math.min(Math.max(Math.round(value * scale), 0), Math.round(max * scale))
  const [left, top] = [within(box.left, width - 1), within(box.top, height - 1)]
  const [right, bottom] = [within(box.left + box.width, width), within(box.top + box.height, height)]
  return { left, top, width: Math.max(right - left, 1), height: Math.max(bottom - top, 1) }
}

type Landmarks = Readonly<Record<LandmarkName, { readonly x: number; readonly y: number }>>

/** Landmarks in pixels of the photo, not of the scaled picture. */
function landmarksOf({ points }: Mesh, scale: number): Landmarks {
  const meanOf = (indices: readonly number[], axis: 0 | 1) => {
    const sum = indices.reduce((all, index) => all + (points[index] as Point)[axis], 0)
    return Math.round((10 * scale * sum) / indices.length) / 10
  }
  return Object.fromEntries(
    Object.entries(landmarkPlaces).map(([name, indices]) => [name, { x: meanOf(indices, 0), y: meanOf(indices, 1) }]),
  ) as Landmarks
}
