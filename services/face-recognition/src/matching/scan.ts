import { readFileSync } from 'node:fs'

/**
 * Computes the Hamming distance of a signature to all signatures of a gallery. WebAssembly, because it has an instruction that
 * counts bits (popcnt), which JavaScript lacks.
 */

/** WebAssembly memory with the signatures of a gallery, shared between threads. */
export interface Memory {
  readonly buffer: ArrayBufferLike
  grow(pages: number): number
}

// Declared here because TypeScript's own declarations come only with those of browsers.
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number; shared?: boolean }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { memory: { signatures: Memory; pairs: Memory } }) => { exports: unknown }
}

type Words = readonly [bigint, bigint, bigint, bigint]

interface Exports {
  /** Reads a signature every `step` bytes, writes (offset, distance) pairs up to `cutoff`, and returns their bytes. */
  scan(start: number, end: number, step: number, cutoff: number, ...probe: Words): number
}

export const signatureBytes = 32
export const signatureBits = 8 * signatureBytes
const pairBytes = 8
const pageBytes = 65_536
/** Number of faces that are scanned first, to estimate which cutoff yields the number of candidates. */
const sampleSize = 8_192

export const sharedMemory = (bytes: number): Memory => {
  const pages = Math.ceil(bytes / pageBytes)
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

/** Half-open range of faces or persons. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Faces for an exact comparison, by ascending Hamming distance. */
export interface Candidates {
  readonly faces: Uint32Array
  readonly hamming: Uint32Array
}

/** Returns the `count` faces of a range, or all, that have the smallest Hamming distance to the probe. */
export type Scan = (signatures: Memory, range: Range, probe: BigUint64Array, count: number) => Candidates

export function openScan(): Scan {
  const module = new WebAssembly.Module(readFileSync(new URL('scan.wasm', new URL('../../data/', import.meta.url))))
  const pairs = new WebAssembly.Memory({ initial: 1, maximum: pageBytes })
  return (signatures, { from, to }, probe, count) => {
    const faces = to - from
    // Large enough for all faces at the same distance; pages that are never written take no memory.
    const missing = faces * pairBytes - pairs.buffer.byteLength
    if (missing > 0) pairs.grow(Math.ceil(missing / pageBytes))
    const { scan } = new WebAssembly.Instance(module, { memory: { signatures, pairs } }).exports as Exports
    const words = [...probe] as unknown as Words
    const pairsWithin = (cutoff: number, step: number) => {
      const bytes = scan(from * signatureBytes, to * signatureBytes, step * signatureBytes, cutoff, ...words)
      return new Uint32Array(pairs.buffer, 0, bytes / 4)
    }
    const step = Math.max(1, Math.floor(faces / sampleSize))
    const inSample = count / step
    // Three standard deviations more than the sample suggests, since too few candidates cost another full scan.
    let cutoff = cutoffFor(pairsWithin(signatureBits, step), inSample + 3 * Math.sqrt(inSample))
    for (; ; cutoff += 2) {
      const within = pairsWithin(cutoff, 1)
      if (within.length / 2 >= Math.min(count, faces)) return closest(within, count)
    }
  }
}

/** Returns the Hamming distance within which the sample has `count` faces. */
function cutoffFor(sample: Uint32Array, count: number): number {
  const cutoff = cumulativeCounts(sample).findIndex((faces) => faces >= count)
  return cutoff === -1 ? signatureBits : cutoff
}

/** Counts, for each Hamming distance, the faces at this distance or closer. */
function cumulativeCounts(pairs: Uint32Array): Uint32Array {
  const counts = new Uint32Array(signatureBits + 1)
  for (let i = 1; i < pairs.length; i += 2) (counts[pairs[i] as number] as number)++
  for (let bits = 1; bits <= signatureBits; bits++) (counts[bits] as number) += counts[bits - 1] as number
  return counts
}

/** Counting sort by Hamming distance. */
function closest(pairs: Uint32Array, count: number): Candidates {
  const [faces, hamming] = [new Uint32Array(pairs.length / 2), new Uint32Array(pairs.length / 2)]
  const ends = cumulativeCounts(pairs)
  for (let i = pairs.length - 2; i >= 0; i -= 2) {
    const distance = pairs[i + 1] as number
    const index = --(ends[distance] as number)
    faces[index] = (pairs[i] as number) / signatureBytes
    hamming[index] = distance
  }
  return { faces: faces.subarray(0, count), hamming: hamming.subarray(0, count) }
}
