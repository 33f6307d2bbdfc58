import { crop } from '../image/crop.ts'
import { letterbox } from '../image/decode.ts'
import { type Box, middleOf, overlap, type Picture, type Point } from '../image/picture.ts'
import { placed, type Similarity, squareAt } from '../image/similarity.ts'
import { type Network, openNetwork, readNumbers } from './session.ts'

/** A face in a picture: where, and how sure that it is one. */
export interface Found {
  readonly box: Box
  readonly score: number
  /** The eye on the left of the picture, the other one, tip of the nose, mouth, and the ears. */
  readonly keys: readonly Point[]
}

export interface Finder {
  /** The largest first. With `small`, a second network looks for faces as well, which takes twice as long. */
  find(picture: Picture, options: { readonly small: boolean }): Promise<Found[]>
}

const side = 192
const smallSide = 512
/** Below it, most of what is found is no face. */
const minScore = 0.5
/** A face of 36 pixels is found if it has 16 in what the network sees; below this, it may be one of anything. */
const [minFace, minFaceSeen, minCandidateScore] = [36, 16.2, 0.2]
/** In larger photos, the smallest face is as much larger. */
const maxLongSide = 1920
/** A closer look at each takes some milliseconds. */
const maxCandidates = 128
/** Of a closer look at what another network took for a face. */
const minCloseScore = 0.2
/** What overlaps by more than that is the same face. */
const sameFace = 0.3

export async function openFinder(folder: string): Promise<Finder> {
  const network = await openNetwork(folder, 'find.onnx')
  let small: Promise<SmallFinder> | undefined
  return {
    async find(picture, options) {
      const found = await seen(picture, network, [side, side], minScore)
      await addConfirmed(found, picture, network, await candidates(picture, network), minScore)
      if (options.small) {
        small ??= openSmallFinder(folder)
        await addConfirmed(found, picture, network, await (await small)(picture), minCloseScore)
      }
      return found.toSorted((p, q) => q.box.width * q.box.height - p.box.width * p.box.height)
    },
  }
}

type Size = readonly [width: number, height: number]

/** What the network sees in the whole picture, at such a size. */
async function seen(picture: Picture, network: Network, [width, height]: Size, least: number): Promise<Found[]> {
  const scale = Math.max(picture.width / width, picture.height / height)
  const results = await network(await letterbox(picture, width, height), width, height)
  return read(results, { cos: scale, sin: 0, x: 0, y: 0 }, least, width)
}

/** What may be small faces: the picture is looked at once more, so large that the smallest can be seen. */
async function candidates(picture: Picture, network: Network): Promise<Found[]> {
  const longSide = Math.max(picture.width, picture.height) * picture.scale
  const scale = (minFaceSeen / minFace) * Math.min(1, maxLongSide / longSide) * picture.scale
  const inSteps = (pixels: number) => Math.ceil((pixels * scale) / 32) * 32
  const size: Size = [inSteps(picture.width), inSteps(picture.height)]
  if (Math.max(...size) <= side) return []
  return (await seen(picture, network, size, minCandidateScore)).slice(0, maxCandidates)
}

/** BlazeFace has an anchor every four pixels, each with a box and six points relative to it. */
function read(results: Awaited<ReturnType<Network>>, map: Similarity, least: number, width = side): Found[] {
  const { scores, boxes } = results as { scores: Float32Array; boxes: Float32Array }
  const columns = width / 4
  const found: Found[] = []
  for (const [index, logit] of scores.entries()) {
    const score = 1 / (1 + Math.exp(-logit))
    if (score < least) continue
    const [x, y] = [(index % columns) * 4 + 2, Math.floor(index / columns) * 4 + 2]
    const [across, down, wide, high, ...points] = boxes.subarray(index * 16, index * 16 + 16) as unknown as [
      number,
      number,
      number,
      number,
      ...number[],
    ]
    const [left, top] = placed(map, [x + across - wide / 2, y + down - high / 2])
    const keys = Array.from({ length: 6 }, (_, i) =>
      placed(map, [x + (points[2 * i] as number), y + (points[2 * i + 1] as number)]),
    )
    found.push({ score, keys, box: { left, top, width: wide * map.cos, height: high * map.cos } })
  }
  return strongest(found)
}

/** Of those that overlap, the one with the best score. */
function strongest<T extends Candidate>(all: readonly T[]): T[] {
  const kept: T[] = []
  for (const one of all.toSorted((p, q) => q.score - p.score))
    if (kept.every(({ box }) => overlap(one.box, box) <= sameFace)) kept.push(one)
  return kept
}

type Candidate = Pick<Found, 'box' | 'score'>

/** Adds the candidates that are not known yet, once a closer look shows where eyes and mouth are. */
async function addConfirmed(
  found: Found[],
  picture: Picture,
  network: Network,
  candidates: readonly Candidate[],
  least: number,
): Promise<void> {
  const isKnown = (box: Box) => found.some((known) => overlap(box, known.box) > sameFace)
  for (const { box, score } of candidates) {
    if (isKnown(box)) continue
    const near = squareAt(middleOf(box), 3 * Math.max(box.width, box.height), 0, side)
    const close = read(await network(crop(picture, side, near), side), near, least)
    const [best] = close.toSorted((p, q) => overlap(q.box, box) - overlap(p.box, box))
    if (best && overlap(best.box, box) > sameFace && !isKnown(best.box))
      found.push({ ...best, score: Math.max(best.score, score) })
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
    const found: Candidate[] = []
    for (const [index, score] of scores.entries()) {
      if (score < minScore) continue
      const four = (of: Float32Array) =>
        of.subarray(4 * index, 4 * index + 4) as unknown as [number, number, number, number]
      const [top, left, bottom, right] = four(anchors)
      const [down, across, taller, wider] = four(boxes)
      const width = Math.exp(wider / 5) * (right - left) * scale
      const height = Math.exp(taller / 5) * (bottom - top) * scale
      const x = ((across / 10) * (right - left) + (left + right) / 2) * scale
      const y = ((down / 10) * (bottom - top) + (top + bottom) / 2) * scale
      found.push({ score, box: { left: x - width / 2, top: y - height / 2, width, height } })
    }
    return strongest(found)
  }
}
