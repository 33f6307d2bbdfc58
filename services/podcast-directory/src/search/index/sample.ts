import { crc32 } from 'node:zlib'
import type { Kind } from './shelf.ts'

/** Sampling rates. Documents of a sparse sample are also in all denser ones. */
const oneIn = [64, 256, 1_024, 4_096, 16_384, 65_536] as const

export interface Sample {
  readonly shelf: string
  readonly oneIn: number
}

/** Densest first. */
const samplesOf = (tenantNumber: number, kind: Kind): Sample[] =>
  oneIn.map((count, nth) => ({ shelf: `${tenantNumber}${kind[0]}s${nth}`, oneIn: count }))

/** Shelves of the samples that contain a document. */
export function sampleShelves(tenantNumber: number, kind: Kind, id: string): string[] {
  const number = crc32(id)
  return samplesOf(tenantNumber, kind).flatMap((sample) => (number % sample.oneIn === 0 ? sample.shelf : []))
}

/** Minimum number of expected matches in a sample, and maximum number of its rows to read. */
const minMatches = 27
const maxRows = 1_000

/** For at most `max` documents, of which a fraction should match: the sparsest sufficient sample, then denser ones. */
export function samplesFor(tenantNumber: number, kind: Kind, max: number, fraction: number): Sample[] {
  const samples = samplesOf(tenantNumber, kind)
  const small = samples.filter((sample) => max / sample.oneIn <= maxRows)
  const first = small.findLast((sample) => (max * fraction) / sample.oneIn >= minMatches) ?? small[0] ?? samples.at(-1)
  return samples.slice(0, samples.indexOf(first as Sample) + 1).reverse()
}
