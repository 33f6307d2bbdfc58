import { crop } from '../image/crop.ts'
import { letterbox } from '../image/decode.ts'
import { type Box, centreOf, overlap, type Picture, type Point } from '../image/picture.ts'
import { type Similarity, squareAt, transform } from '../image/similarity.ts'
import { type Network, openNetwork, readNumbers } from './session.ts'

export interface Detection {
  readonly box: Box
  readonly score: number
  /** Left eye (in the picture), right eye, tip of the nose, mouth, ears. */
  readonly keys: readonly Point[]
}

export interface Finder {
  /** Finds faces, the largest first. `small` adds a second network, which doubles the time. */
  find(picture: Picture, options: { readonly small: boolean }): Promise<Detection[]>
}

const side = 192
const smallSide = 512
/** Most detections below it are false. */
const minScore = 0.5
/** The network detects faces of 16 pixels, so the picture is scaled to give that to a face of 36. */
const [minFace, minScaledFace, minCandidateScore] = [36, 16.2, 0.2]
/** In larger photos, the smallest face grows in proportion. */
const maxLongSide = 1920
/** Confirming each takes some milliseconds. */
const maxCandidates = 128
/** Confirms candidates of the second network. */
const minCloseScore = 0.2
/** Boxes with more overlap are the same face. */
const sameFace = 0.3

export async function openFinder(folder: string): Promise<Finder> {
  const network = await openNetwork(folder, 'find.onnx')
  let small: Promise<SmallFinder> | undefined
  return {
    async find(picture, options) {
      const detections = await detect(picture, network, [side, side], minScore)
      await addConfirmed(detections, picture, network, await candidates(picture, network), minScore)
      if (options.small) {
        small ??= openSmallFinder(folder)
        await addConfirmed(detections, picture, network, await (await small)(picture), minCloseScore)
      }
      return detections.toSorted((p, q) => q.box.width * q.box.height - p.box.width * p.box.height)
    },
  }
}

type Size = readonly [width: number, height: number]

/** Runs the network on the whole picture, scaled to a size. */
async function detect(
  picture: Picture,
  network: Network,
  [width, height]: Size,
  minimum: number,
): Promise<Detection[]> {
  const scale = Math.max(picture.width / width, picture.height / height)
  const results = await network(await letterbox(picture, width, height), width, height)
  return decode(results, { cos: scale, sin: 0, x: 0, y: 0 }, minimum, width)
}

/** Detects small faces in a second pass over a larger version of the picture. */
async function candidates(picture: Picture, network: Network): Promise<Detection[]> {
  const longSide = Math.max(picture.width, picture.height) * picture.scale
  const scale = (minScaledFace / minFace) * Math.min(1, maxLongSide / longSide) * picture.scale
  const inSteps = (pixels: number) => Math.ceil((pixels * scale) / 32) * 32
  const size: Size = [inSteps(picture.width), inSteps(picture.height)]
  if (Math.max(...size) <= side) return []
  return (await detect(picture, network, size, minCandidateScore)).slice(0, maxCandidates)
}

/** BlazeFace has an anchor every four pixels, each with a box and six points relative to it. */
function decode(results: Awaited<ReturnType<Network>>, map: Similarity, minimum: number, width = side): Detection[] {
  const { scores, boxes } = results as { scores: Float32Array; boxes: Float32Array }
  const columns = width / 4
  const detections: Detection[] = []
  for (const [index, logit] of scores.entries()) {
    const score = 1 / (1 + Math.exp(-logit))
    if (score < minimum) continue
    const [x, y] = [(index % columns) * 4 + 2, Math.floor(index / columns) * 4 + 2]
    const [across, down, wide, high, ...points] = boxes.subarray(index * 16, index * 16 + 16) as unknown as [
      number,
      number,
      number,
      number,
      ...number[],
    ]
    const [left, top] = transform(map, [x + across - wide / 2, y + down - high / 2])
    const keys = Array.from({ length: 6 }, (_, i) =>
      transform(map, [x + (points[2 * i] as number), y + (points[2 * i + 1] as number)]),
    )
    detections.push({ score, keys, box: { left, top, width: wide * map.cos, height: high * map.cos } })
  }
  return strongest(detections)
}

/** Non-maximum suppression. */
function strongest<T extends Candidate>(all: readonly T[]): T[] {
  const best: T[] = []
  for (const candidate of all.toSorted((p, q) => q.score - p.score))
    if (best.every(({ box }) => overlap(candidate.box, box) <= sameFace)) best.push(candidate)
  return best
}

type Candidate = Pick<Detection, 'box' | 'score'>

/** Adds new candidates that the first network confirms in a close crop, which also gives their key points. */
async function addConfirmed(
  detections: Detection[],
  picture: Picture,
  network: Network,
  candidates: readonly Candidate[],
  minimum: number,
): Promise<void> {
  const isKnown = (box: Box) => detections.some((detection) => overlap(box, detection.box) > sameFace)
  for (const { box, score } of candidates) {
    if (isKnown(box)) continue
    const near = squareAt(centreOf(box), 3 * Math.max(box.width, box.height), 0, side)
    const close = decode(await network(crop(picture, side, near), side), near, minimum)
    const [best] = close.toSorted((p, q) => overlap(q.box, box) - overlap(p.box, box))
    if (best && overlap(best.box, box) > sameFace && !isKnown(best.box))
      detections.push({ ...best, score: Math.max(best.score, score) })
  }
}

type SmallFinder = (picture: Picture) => Promise<Candidate[]>

/** SSD MobileNet: its boxes are relative to anchors of many sizes. */
async function openSmallFinder(folder: string): Promise<SmallFinder> {
  const network = await openNetwork(folder, 'small.onnx')
  const anchors = readNumbers(folder, 'small.anchors')
  return async (picture) => {
    const results = await network(await letterbox(picture, smallSide), smallSide)
    const { scores, boxes } = results as { scores: Float32Array; boxes: Float32Array }
    const scale = Math.max(picture.width, picture.height)
    const candidates: Candidate[] = []
    for (const [index, score] of scores.entries()) {
      if (score < minScore) continue
      const four = (values: Float32Array) =>
        values.subarray(4 * index, 4 * index + 4) as unknown as [number, number, number, number]
      const [top, left, bottom, right] = four(anchors)
      const [down, across, taller, wider] = four(boxes)
      const width = Math.exp(wider / 5) * (right - left) * scale
      const height = Math.exp(taller / 5) * (bottom - top) * scale
      const x = ((across / 10) * (right - left) + (left + right) / 2) * scale
      const y = ((down / 10) * (bottom - top) + (top + bottom) / 2) * scale
      candidates.push({ score, box: { left: x - width / 2, top: y - height / 2, width, height } })
    }
    return strongest(candidates)
  }
}
