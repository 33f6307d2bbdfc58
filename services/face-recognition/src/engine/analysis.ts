import { decode } from './image/decode.ts'
import { type Box, overlap, type Picture } from './image/picture.ts'
import { chipOf, chipSide, type Descriptor, openDescriber } from './look/describe.ts'
import { type Found, openFinder } from './look/find.ts'
import { openMesher } from './look/mesh.ts'
import { type HeadPose, headPoseOf } from './measure/head-pose.ts'
import { type Landmarks, landmarksOf } from './measure/landmarks.ts'
import { type Quality, qualityOf } from './measure/quality.ts'

/** A photo, and what is to be found out about it. */
export interface Question {
  readonly image: Uint8Array
  /** Look with the second network, too. */
  readonly small: boolean
  readonly descriptors: boolean
  readonly landmarks: boolean
  readonly attributes: boolean
  /** Only the face that overlaps most with this box, in pixels of the photo. */
  readonly target?: Box | undefined
  /** At most so many faces, the largest. */
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

/** All networks, loaded. What it answers holds its thread while it looks at a photo. */
export async function openAnalysis(folder: string): Promise<Analyse> {
  const finder = await openFinder(folder)
  const mesher = await openMesher(folder)
  const describe = await openDescriber(folder)

  const lookAt = async (picture: Picture, found: Found, { descriptors, landmarks, attributes }: Question) => {
    const face = { box: boxOf(picture, found.box), score: found.score }
    if (!descriptors && !landmarks && !attributes) return face
    const mesh = await mesher(picture, found)
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
    const found = await finder.find(picture, { small: question.small })
    const chosen = question.target ? targeted(found, question.target, picture.scale) : found.slice(0, question.most)
    const faces: Face[] = []
    for (const one of chosen) faces.push(await lookAt(picture, one, question))
    const whole = (size: number) => Math.round(size * picture.scale)
    return { width: whole(picture.width), height: whole(picture.height), faces }
  }
}

/** A rectangle that somebody drew by hand still means the face in it. */
const leastOverlap = 0.1

function targeted(found: readonly Found[], target: Box, scale: number): Found[] {
  const inPicture = {
    left: target.left / scale,
    top: target.top / scale,
    width: target.width / scale,
    height: target.height / scale,
  }
  return found
    .filter(({ box }) => overlap(box, inPicture) > leastOverlap)
    .toSorted((p, q) => overlap(q.box, inPicture) - overlap(p.box, inPicture))
    .slice(0, 1)
}

/** As the API shows it: whole pixels of the photo, at least one, and none outside. */
function boxOf({ width, height, scale }: Picture, box: Box): Box {
  const within = (value: number, most: number) =>
    Math.min(Math.max(Math.round(value * scale), 0), Math.round(most * scale))
  const [left, top] = [within(box.left, width - 1), within(box.top, height - 1)]
  const [right, bottom] = [within(box.left + box.width, width), within(box.top + box.height, height)]
  return { left, top, width: Math.max(right - left, 1), height: Math.max(bottom - top, 1) }
}
