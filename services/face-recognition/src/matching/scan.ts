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
  const module = new WebAssembly.Module(moduleBytes())
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

type Code = readonly number[]

const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const section = { type: 1, import: 2, function: 3, export: 7, code: 10 }
const type = { i32: 0x7f, i64: 0x7e, function: 0x60, void: 0x40 }
const kind = { function: 0, memory: 2 }
const op = {
  ...{ loop: 0x03, if: 0x04, end: 0x0b, branchIf: 0x0d },
  ...{ localGet: 0x20, localSet: 0x21, localTee: 0x22 },
  ...{ i32Const: 0x41, i32Store: 0x36, i32Add: 0x6a, i32LessThan: 0x49, i32AtMost: 0x4d, i32WrapI64: 0xa7 },
  ...{ i64Load: 0x29, i64Add: 0x7c, i64Xor: 0x85, i64Popcnt: 0x7b },
}

/** WebAssembly module with the function `scan` and two imported memories: the signatures, and the pairs it writes. */
function moduleBytes(): Uint8Array {
  const { i32, i64 } = type
  const vector = (...items: Code[]): Code => [items.length, ...items.flat()]
  const name = (text: string): Code => [text.length, ...Buffer.from(text)]
  const sectionOf = (id: number, content: Code): Code => [id, content.length, ...content]
  const maxPages = [0x80, 0x80, 0x04] // 65,536 in LEB128
  const memory = (field: string, flags: number) => [
    ...name('memory'),
    ...name(field),
    kind.memory,
    flags,
    1,
    ...maxPages,
  ]
  const [hasMaximum, isShared] = [1, 2]
  const parameters = vector([i32], [i32], [i32], [i32], [i64], [i64], [i64], [i64])
  const body = [...vector([2, i32]), ...scanCode()] // two more locals
  return Uint8Array.from([
    ...magicAndVersion,
    ...sectionOf(section.type, vector([type.function, ...parameters, ...vector([i32])])),
    ...sectionOf(section.import, vector(memory('signatures', hasMaximum | isShared), memory('pairs', hasMaximum))),
    ...sectionOf(section.function, vector([0])),
    ...sectionOf(section.export, vector([...name('scan'), kind.function, 0])),
    ...sectionOf(section.code, vector([body.length, ...body])),
  ])
}

/**
 * Code of `scan(at, end, step, cutoff, ...probe)`:
 *
 *     do {
 *       distance = sum of popcnt(signature word at `at` xor probe word), over four words
 *       if (distance <= cutoff) { pairs[out] = at; pairs[out + 4] = distance; out += 8 }
 *       at += step
 *     } while (at < end)
 *     return out
 */
function scanCode(): Code {
  const [at, end, step, cutoff, probe, out, distance] = [0, 1, 2, 3, 4, 8, 9]
  const get = (local: number): Code => [op.localGet, local]
  const set = (local: number): Code => [op.localSet, local]
  const tee = (local: number): Code => [op.localTee, local]
  const [align4, align8, hasMemoryIndex, pairs] = [2, 3, 0x40, 1]
  const hamming = (word: number): Code => [
    ...[...get(at), op.i64Load, align8, 8 * word],
    ...[...get(probe + word), op.i64Xor, op.i64Popcnt],
  ]
  const store = (local: number, offset: number): Code => [
    ...[...get(out), ...get(local)],
    ...[op.i32Store, align4 | hasMemoryIndex, pairs, offset],
  ]
  const sum = [...hamming(0), ...[1, 2, 3].flatMap((word) => [...hamming(word), op.i64Add])]
  return [
    ...[op.loop, type.void],
    ...[...sum, op.i32WrapI64, ...tee(distance)],
    ...[...get(cutoff), op.i32AtMost, op.if, type.void],
    ...[...store(at, 0), ...store(distance, 4)],
    ...[...get(out), op.i32Const, pairBytes, op.i32Add, ...set(out)],
    op.end,
    ...[...get(at), ...get(step), op.i32Add, ...tee(at)],
    ...[...get(end), op.i32LessThan, op.branchIf, 0],
    op.end,
    ...[...get(out), op.end],
  ]
}
