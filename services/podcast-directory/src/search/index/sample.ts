import { crc32 } from 'node:zlib'
import type { Kind } from './shelf.ts'

/** One in so many documents also stands on the shelf of a sample; whoever is in a sparse one is in the denser ones. */
const oneIn = [64, 256, 1_024, 4_096, 16_384, 65_536] as const

export interface Sample {
  readonly shelf: string
  readonly oneIn: number
}

/** The densest first. */
const samplesOf = (tenantNumber: number, kind: Kind): Sample[] =>
  oneIn.map((count, nth) => ({ shelf: `${tenantNumber}${kind[0]}s${nth}`, oneIn: count }))

/** The samples that a document belongs to. */
export function sampleShelves(tenantNumber: number, kind: Kind, id: string): string[] {
  const number = crc32(id)
  return samplesOf(tenantNumber, kind).flatMap((sample) => (number % sample.oneIn === 0 ? sample.shelf : []))
}

/** So many rows of a sample should fit, and so many of them are read at most. */
const enoughFitting = 27
const maxRows = 1_000

/** Of no more than `most` documents, of which some share should fit: the sparsest sample that should do, then denser ones. */
export function samplesFor(tenantNumber: number, kind: Kind, most: number, share: number): Sample[] {
  const samples = samplesOf(tenantNumber, kind)
  const small = samples.filter((sample) => most / sample.oneIn <= maxRows)
  const first = small.findLast((sample) => (most * share) / sample.oneIn >= enoughFitting) ?? small[0] ?? samples.at(-1)
  return samples.slice(0, samples.indexOf(first as Sample) + 1).reverse()
}
