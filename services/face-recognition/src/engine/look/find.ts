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
  /** The largest first. With `small`, faces under a tenth of the picture, too, which takes ten times as long. */
  find(picture: Picture, options: { readonly small: boolean }): Promise<Found[]>
}

const side = 192
const smallSide = 512
/** Below it, most of what is found is no face. */
const leastScore = 0.5
/** Of a closer look at what another network took for a face. */
const leastCloseScore = 0.2
/** What overlaps by more than that is the same face. */
const sameFace = 0.3

export async function openFinder(folder: string): Promise<Finder> {
  const network = await openNetwork(folder, 'find.onnx')
  let small: Promise<SmallFinder> | undefined
  return {
    async find(picture, options) {
      const scale = Math.max(picture.width, picture.height) / side
      const whole: Similarity = { cos: scale, sin: 0, x: 0, y: 0 }
      const found = read(await network(await letterbox(picture, side), side), whole, leastScore)
      if (options.small) {
        small ??= openSmallFinder(folder)
        await addSmall(found, picture, network, await small)
      }
      return found.toSorted((p, q) => q.box.width * q.box.height - p.box.width * p.box.height)
    },
  }
}

/** BlazeFace has an anchor every four pixels, each with a box and six points relative to it. */
function read(results: Awaited<ReturnType<Network>>, map: Similarity, least: number): Found[] {
  const { scores, boxes } = results as { scores: Float32Array; boxes: Float32Array }
  const columns = side / 4
  const found: Found[] = []
  for (const [index, logit] of scores.entries()) {
    const score = 1 / (1 + Math.exp(-logit))
    if (score < least) continue
    const [x, y] = [(index % columns) * 4 + 2, Math.floor(index / columns) * 4 + 2]
    const [across, down, width, height, ...points] = boxes.subarray(index * 16, index * 16 + 16) as unknown as [
      number,
      number,
      number,
      number,
      ...number[],
    ]
    const [left, top] = placed(map, [x + across - width / 2, y + down - height / 2])
    const keys = Array.from({ length: 6 }, (_, i) =>
      placed(map, [x + (points[2 * i] as number), y + (points[2 * i + 1] as number)]),
    )
    found.push({ score, keys, box: { left, top, width: width * map.cos, height: height * map.cos } })
  }
  return strongest(found)
}

/** Of those that overlap, the one with the best score. */
function strongest<T extends { readonly box: Box; readonly score: number }>(all: readonly T[]): T[] {
  const kept: T[] = []
  for (const one of all.toSorted((p, q) => q.score - p.score))
    if (kept.every(({ box }) => overlap(one.box, box) <= sameFace)) kept.push(one)
  return kept
}

/** What the other network found and this one did not, once a closer look shows where eyes and mouth are. */
async function addSmall(found: Found[], picture: Picture, network: Network, small: SmallFinder): Promise<void> {
  for (const { box, score } of await small(picture)) {
    if (found.some((known) => overlap(box, known.box) > sameFace)) continue
    const near = squareAt(middleOf(box), 3 * Math.max(box.width, box.height), 0, side)
    const seen = read(await network(crop(picture, side, near), side), near, leastCloseScore)
    const [best] = seen.toSorted((p, q) => overlap(q.box, box) - overlap(p.box, box))
    if (best && overlap(best.box, box) > sameFace) found.push({ ...best, score })
  }
}

type SmallFinder = (picture: Picture) => Promise<{ readonly box: Box; readonly score: number }[]>

/** SSD MobileNet: its boxes are relative to anchors of many sizes. */
async function openSmallFinder(folder: string): Promise<SmallFinder> {
  const network = await openNetwork(folder, 'small.onnx')
  const anchors = readNumbers(folder, 'small.anchors')
  return async (picture) => {
    const results = await network(await letterbox(picture, smallSide), smallSide)
    const { scores, boxes } = results as { scores: Float32Array; boxes: Float32Array }
    const scale = Math.max(picture.width, picture.height)
    const found: { box: Box; score: number }[] = []
    for (const [index, score] of scores.entries()) {
      if (score < leastScore) continue
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
