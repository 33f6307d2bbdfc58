import { dimensions } from '../training/gallery.ts'
import { type Range, type Scan, signatureBits } from './scan.ts'
import { type Signatures, signatureOf } from './signatures.ts'

/** A person near the probe, by the nearest of their faces. */
export interface Near {
  /** Index in the gallery. */
  readonly face: number
  readonly distance: number
}

export interface Search {
  readonly descriptors: SharedArrayBuffer
  readonly starts: SharedArrayBuffer
  /** If present, only candidates by locality-sensitive hashing are compared. */
  readonly signatures: Signatures | undefined
  readonly persons: Range
  readonly probe: Float32Array
  readonly maxPersons: number
  /** Negative for a confidence that not even the same face has: then there is no match. */
  readonly maxDistance: number
  /** Squared distance beyond which faces cannot be among the results, shared by the threads of a search. */
  readonly bound: SharedArrayBuffer
}

const boundUnit = 2 ** -20

/** Creates the shared bound of one search. */
export function boundOf(maxDistance: number): SharedArrayBuffer {
  const bound = new SharedArrayBuffer(4)
  new Int32Array(bound)[0] = Math.min(Math.ceil(maxDistance ** 2 / boundUnit), 2 ** 31 - 1)
  return bound
}

/** Returns the nearest face of each of the nearest persons. */
export function nearest(search: Search, scan: Scan): Near[] {
  const { starts, signatures, maxDistance } = search
  if (maxDistance < 0) return [] // squaring would lose the sign
  const offsets = new Int32Array(starts)
  const results = resultsOf(search)
  if (signatures) offerCandidates({ ...search, signatures }, offsets, scan, results)
  else offerAll(search, offsets, results)
  return results.list()
}

function offerAll({ descriptors, probe, persons }: Search, offsets: Int32Array, results: Results): void {
  const all = new Float32Array(descriptors)
  for (let person = persons.from; person < persons.to; person++)
    for (let face = offsets[person] as number; face < (offsets[person + 1] as number); face++)
      results.offer(person, face, squaredDistance(all, face, probe, results.limit()))
}

/** Compares candidates by ascending Hamming distance, until no nearer face is to be expected. */
function offerCandidates(
  search: Search & { readonly signatures: Signatures },
  offsets: Int32Array,
  scan: Scan,
  results: Results,
): void {
  const { descriptors, probe, persons, signatures, maxPersons } = search
  const { memory, centroid, maxFacesPerPerson } = signatures
  const all = new Float32Array(descriptors)
  const range = { from: offsets[persons.from] as number, to: offsets[persons.to] as number }
  const count = candidateCount(range.to - range.from, maxFacesPerPerson, maxPersons)
  const candidates = scan(memory, range, signatureOf(probe, centroid), count)
  const centroidDistance = Math.sqrt(squaredDistance(Float32Array.from(centroid), 0, probe, Number.POSITIVE_INFINITY))
  let limit = Number.POSITIVE_INFINITY
  let maxHamming = signatureBits
  for (const [i, face] of candidates.faces.entries()) {
    if (results.limit() !== limit) {
      limit = results.limit()
      maxHamming = maxHammingWithin(Math.sqrt(limit) / centroidDistance)
    }
    if ((candidates.hamming[i] as number) > maxHamming) return
    const squared = squaredDistance(all, face, probe, limit)
    if (squared <= limit) results.offer(personOf(offsets, face), face, squared)
  }
}

/**
 * Returns the Hamming distance that all but one face in 30,000 stay below, if their distance from the probe is at most `ratio`
 * times the probe's distance from the centroid. Seen from the centroid, such a face is within an angle, and each bit differs
 * with the probability angle / pi: the binomial mean plus four standard deviations is enough.
 */
function maxHammingWithin(ratio: number): number {
  const probability = ratio < 1 ? Math.asin(ratio) / Math.PI : 1
  return signatureBits * probability + 4 * Math.sqrt(signatureBits * probability * (1 - probability))
}

/** Enough candidates even if each of the nearest persons has the maximum of faces. */
const candidateCount = (faces: number, maxFacesPerPerson: number, maxPersons: number) =>
  2_000 + Math.ceil(faces / 500) + maxPersons * maxFacesPerPerson

/** Returns the person of a face, by binary search. */
function personOf(offsets: Int32Array, face: number): number {
  let [low, high] = [0, offsets.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((offsets[middle] as number) <= face) low = middle
    else high = middle
  }
  return low
}

interface Match {
  readonly person: number
  readonly face: number
  readonly squared: number
}

type Results = ReturnType<typeof resultsOf>

/** Top-k list of the nearest persons, each with their nearest face. */
function resultsOf({ maxPersons, maxDistance, bound }: Search) {
  const matches: Match[] = []
  const byPerson = new Map<number, Match>()
  const shared = new Int32Array(bound)
  let limit = maxDistance * maxDistance
  /** Lowers the bound of all threads once this one has `maxPersons` results. */
  const lower = (squared: number) => {
    limit = Math.min(limit, squared)
    const rounded = Math.ceil(limit / boundUnit)
    for (let current = Atomics.load(shared, 0); rounded < current; )
      current = Atomics.compareExchange(shared, 0, current, rounded)
  }
  /** Returns the index before matches at the same distance, or after them, by binary search. */
  const indexOf = (squared: number, isAfter: boolean): number => {
    let [low, high] = [0, matches.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = (matches[middle] as Match).squared
      if (other < squared || (isAfter && other === squared)) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    /** Squared distance beyond which an offer is useless. */
    limit: () => Math.min(limit, Atomics.load(shared, 0) * boundUnit),
    offer(person: number, face: number, squared: number): void {
      const previous = byPerson.get(person)
      if (squared > limit || (previous && previous.squared <= squared)) return
      if (previous) matches.splice(matches.indexOf(previous, indexOf(previous.squared, false)), 1)
      const match = { person, face, squared }
      matches.splice(indexOf(squared, true), 0, match)
      byPerson.set(person, match)
      if (matches.length > maxPersons) byPerson.delete((matches.pop() as Match).person)
      if (matches.length === maxPersons) lower((matches.at(-1) as Match).squared)
    },
    list: (): Near[] => matches.map(({ face, squared }) => ({ face, distance: Math.sqrt(squared) })),
  }
}

const blockSize = 32

/** Returns infinity as soon as a partial sum exceeds the limit. */
function squaredDistance(all: Float32Array, face: number, probe: Float32Array, limit: number): number {
  const start = face * dimensions
  let sum = 0
  for (let block = 0; block < dimensions; block += blockSize) {
    for (let i = block; i < block + blockSize; i++) {
      const difference = (all[start + i] as number) - (probe[i] as number)
      sum += difference * difference
    }
    if (sum > limit) return Number.POSITIVE_INFINITY
  }
  return sum
}
