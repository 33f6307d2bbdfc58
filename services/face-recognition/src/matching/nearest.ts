import { dimensions } from '../training/gallery.ts'
import { type Range, type Scan, sketchBits } from './scan.ts'
import { type Sketches, sketchOf } from './sketches.ts'

/** The person nearest to a face that is looked for: which one, by which of the faces, and how far. */
export interface Near {
  /** In the order of the gallery. */
  readonly face: number
  readonly distance: number
}

export interface Search {
  readonly descriptors: SharedArrayBuffer
  readonly starts: SharedArrayBuffer
  /** If there are any, only faces whose sketches are alike are compared. */
  readonly sketches: Sketches | undefined
  /** Among which of the persons. */
  readonly persons: Range
  readonly probe: Float32Array
  /** At most so many persons. */
  readonly most: number
  /** No farther than this; below zero, where a confidence is asked for that not even the same face has, nobody. */
  readonly within: number
  /** How far the parts of one search still have to look. */
  readonly bound: SharedArrayBuffer
}

const boundUnit = 2 ** -20

/** For all parts of one search. */
export function boundOf(within: number): SharedArrayBuffer {
  const bound = new SharedArrayBuffer(4)
  new Int32Array(bound)[0] = Math.min(Math.ceil(within ** 2 / boundUnit), 2 ** 31 - 1)
  return bound
}

/** The nearest face of each of the nearest persons. */
export function nearest(search: Search, scan: Scan): Near[] {
  const { starts, sketches, within } = search
  if (within < 0) return [] // distances are compared by their squares
  const places = new Int32Array(starts)
  const best = bestOf(search)
  if (sketches) offerLikely({ ...search, sketches }, places, scan, best)
  else offerAll(search, places, best)
  return best.found()
}

function offerAll({ descriptors, probe, persons }: Search, places: Int32Array, best: Best): void {
  const all = new Float32Array(descriptors)
  for (let person = persons.from; person < persons.to; person++)
    for (let face = places[person] as number; face < (places[person + 1] as number); face++)
      best.offer(person, face, squaredDistance(all, face, probe, best.limit()))
}

/** Only those with the sketches most alike, and of these only until nobody nearer is to be expected. */
function offerLikely(
  search: Search & { readonly sketches: Sketches },
  places: Int32Array,
  scan: Scan,
  best: Best,
): void {
  const { descriptors, probe, persons, sketches, most } = search
  const { memory, middle, widest } = sketches
  const all = new Float32Array(descriptors)
  const range = { from: places[persons.from] as number, to: places[persons.to] as number }
  const likely = scan(memory, range, sketchOf(probe, middle), likelyOf(range.to - range.from, widest, most))
  const fromMiddle = Math.sqrt(squaredDistance(Float32Array.from(middle), 0, probe, Number.POSITIVE_INFINITY))
  let limit = Number.POSITIVE_INFINITY
  let mostUnlike = sketchBits
  for (const [i, face] of likely.places.entries()) {
    if (best.limit() !== limit) {
      limit = best.limit()
      mostUnlike = mostUnlikeWithin(Math.sqrt(limit) / fromMiddle)
    }
    if ((likely.unlike[i] as number) > mostUnlike) return
    const squared = squaredDistance(all, face, probe, limit)
    if (squared <= limit) best.offer(personOf(places, face), face, squared)
  }
}

/**
 * How many bits are unlike at most, but for one face in 30,000, if it is nearer to the probe than this share of the probe's
 * own distance from the middle. Seen from there, it is no farther away than an angle, and each bit is unlike by the share that
 * angle has of a half circle: four standard deviations more are enough.
 */
function mostUnlikeWithin(share: number): number {
  const unlike = share < 1 ? Math.asin(share) / Math.PI : 1
  return sketchBits * unlike + 4 * Math.sqrt(sketchBits * unlike * (1 - unlike))
}

/** Of how many faces the distance is computed: enough, even if each of the nearest persons has as many as anybody has. */
const likelyOf = (faces: number, widest: number, most: number) => 2_000 + Math.ceil(faces / 500) + most * widest

/** Whose face is at a place. */
function personOf(places: Int32Array, face: number): number {
  let [low, high] = [0, places.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((places[middle] as number) <= face) low = middle
    else high = middle
  }
  return low
}

interface Kept {
  readonly person: number
  readonly face: number
  readonly squared: number
}

type Best = ReturnType<typeof bestOf>

/** Keeps the nearest persons, each by their nearest face. */
function bestOf({ most, within, bound }: Search) {
  const kept: Kept[] = []
  const known = new Map<number, Kept>()
  const shared = new Int32Array(bound)
  let limit = within * within
  /** Whoever has as many as are wanted spares the others from looking for farther ones. */
  const lower = (to: number) => {
    limit = Math.min(limit, to)
    const rounded = Math.ceil(limit / boundUnit)
    for (let seen = Atomics.load(shared, 0); rounded < seen; ) seen = Atomics.compareExchange(shared, 0, seen, rounded)
  }
  /** Behind all that are as near, or before them. */
  const placeOf = (squared: number, isBehind: boolean): number => {
    let [low, high] = [0, kept.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = (kept[middle] as Kept).squared
      if (other < squared || (isBehind && other === squared)) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    /** Whoever is farther is not kept. */
    limit: () => Math.min(limit, Atomics.load(shared, 0) * boundUnit),
    offer(person: number, face: number, squared: number): void {
      const before = known.get(person)
      if (squared > limit || (before && before.squared <= squared)) return
      if (before) kept.splice(kept.indexOf(before, placeOf(before.squared, false)), 1)
      const one = { person, face, squared }
      kept.splice(placeOf(squared, true), 0, one)
      known.set(person, one)
      if (kept.length > most) known.delete((kept.pop() as Kept).person)
      if (kept.length === most) lower((kept.at(-1) as Kept).squared)
    },
    found: (): Near[] => kept.map(({ face, squared }) => ({ face, distance: Math.sqrt(squared) })),
  }
}

const part = 32

/** Infinite as soon as it is known to be over the limit. */
function squaredDistance(all: Float32Array, face: number, probe: Float32Array, limit: number): number {
  const start = face * dimensions
  let sum = 0
  for (let from = 0; from < dimensions; from += part) {
    for (let i = from; i < from + part; i++) {
      const apart = (all[start + i] as number) - (probe[i] as number)
      sum += apart * apart
    }
    if (sum > limit) return Number.POSITIVE_INFINITY
  }
  return sum
}
