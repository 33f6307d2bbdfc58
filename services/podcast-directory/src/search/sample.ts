import { crc32 } from 'node:zlib'
import type { Kind } from './shelf.ts'

/** One in so many documents also stands on the shelf of a sample; whoever is in a sparse one is in the denser ones. */
const oneIn = [64, 512, 4_096, 32_768] as const

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

/** So many rows of a sample are read at most, if nothing but the commonest fits. */
const mostRows = 300

/** The samples in which no more than some of `most` documents are, the sparsest first. */
export function samplesFor(tenantNumber: number, kind: Kind, most: number): Sample[] {
  const samples = samplesOf(tenantNumber, kind)
  const first = samples.findIndex((sample) => most / sample.oneIn <= mostRows)
  return samples.slice(0, (first === -1 ? samples.length - 1 : first) + 1).reverse()
}
