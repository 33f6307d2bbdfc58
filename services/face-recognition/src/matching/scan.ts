/**
 * Compares a sketch with all sketches of a gallery. WebAssembly, because it counts bits by an instruction of the
 * processor, which JavaScript has not.
 */

/** Of a gallery, in memory that threads share. */
export interface Memory {
  readonly buffer: ArrayBufferLike
  grow(pages: number): number
}

// What is used of it; the compiler's own declarations come only with those of browsers.
declare const WebAssembly: {
  Memory: new (limits: { initial: number; maximum: number; shared?: boolean }) => Memory
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: { of: { sketches: Memory; found: Memory } }) => { exports: unknown }
}

type Words = readonly [bigint, bigint, bigint, bigint]

interface Exports {
  /** Looks at a sketch every `step` bytes, writes place and bits of those within `cut`, and answers how many bytes. */
  scan(start: number, end: number, step: number, cut: number, ...probe: Words): number
}

export const sketchBytes = 32
export const sketchBits = 8 * sketchBytes
const foundBytes = 8
const pageBytes = 65_536
/** Of so many faces the bits are counted first, to learn which number of bits lets as many through as are wanted. */
const sample = 8_192

export const sharedMemory = (bytes: number): Memory => {
  const pages = Math.ceil(bytes / pageBytes)
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

/** Faces from one place to before another. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** The most alike first. */
export interface Likely {
  readonly places: Uint32Array
  /** How many bits of each are unlike the probe's. */
  readonly unlike: Uint32Array
}

/** As many faces as are wanted (or all) of a range: those with the fewest bits unlike the probe's. */
export type Scan = (sketches: Memory, range: Range, probe: BigUint64Array, wanted: number) => Likely

export function openScan(): Scan {
  const module = new WebAssembly.Module(assembled())
  const found = new WebAssembly.Memory({ initial: 1, maximum: pageBytes })
  return (sketches, { from, to }, probe, wanted) => {
    const faces = to - from
    // For whoever has all faces alike; what is not written to takes no memory.
    const missing = faces * foundBytes - found.buffer.byteLength
    if (missing > 0) found.grow(Math.ceil(missing / pageBytes))
    const { scan } = new WebAssembly.Instance(module, { of: { sketches, found } }).exports as Exports
    const words = [...probe] as unknown as Words
    const within = (cut: number, step: number) => {
      const bytes = scan(from * sketchBytes, to * sketchBytes, step * sketchBytes, cut, ...words)
      return new Uint32Array(found.buffer, 0, bytes / 4)
    }
    const step = Math.max(1, Math.floor(faces / sample))
    const inSample = wanted / step
    // Some more than the sample says, since whoever gets too few has to look at all of them again.
    let cut = cutFor(within(sketchBits, step), inSample + 3 * Math.sqrt(inSample))
    for (; ; cut += 2) {
      const pairs = within(cut, 1)
      if (pairs.length / 2 >= Math.min(wanted, faces)) return inOrder(pairs, wanted)
    }
  }
}

/** Within how many bits so many of a sample are. */
function cutFor(pairs: Uint32Array, wanted: number): number {
  const cut = countsOf(pairs).findIndex((count) => count >= wanted)
  return cut === -1 ? sketchBits : cut
}

/** How many are unlike in so many bits or fewer. */
function countsOf(pairs: Uint32Array): Uint32Array {
  const counts = new Uint32Array(sketchBits + 1)
  for (let i = 1; i < pairs.length; i += 2) (counts[pairs[i] as number] as number)++
  for (let bits = 1; bits <= sketchBits; bits++) (counts[bits] as number) += counts[bits - 1] as number
  return counts
}

/** Each is put where those with fewer bits end: there are many of them, but few numbers of bits. */
function inOrder(pairs: Uint32Array, wanted: number): Likely {
  const [places, unlike] = [new Uint32Array(pairs.length / 2), new Uint32Array(pairs.length / 2)]
  const ends = countsOf(pairs)
  for (let i = pairs.length - 2; i >= 0; i -= 2) {
    const bits = pairs[i + 1] as number
    const at = --(ends[bits] as number)
    places[at] = (pairs[i] as number) / sketchBytes
    unlike[at] = bits
  }
  return { places: places.subarray(0, wanted), unlike: unlike.subarray(0, wanted) }
}

type Code = readonly number[]

/** The module as bytes: two memories, the sketches and what was found among them, and one function. */
function assembled(): Uint8Array {
  const [i32, i64] = [0x7f, 0x7e]
  const list = (...items: Code[]): Code => [items.length, ...items.flat()]
  const name = (text: string): Code => [text.length, ...Buffer.from(text)]
  const section = (id: number, content: Code): Code => [id, content.length, ...content]
  const most = [0x80, 0x80, 0x04] // 65,536 pages
  const body = [...list([2, i32]), ...loop()]
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list([0x60, ...list([i32], [i32], [i32], [i32], [i64], [i64], [i64], [i64]), ...list([i32])])),
    ...section(
      2,
      list([...name('of'), ...name('sketches'), 2, 3, 1, ...most], [...name('of'), ...name('found'), 2, 1, 1, ...most]),
    ),
    ...section(3, list([0])),
    ...section(7, list([...name('scan'), 0, 0])),
    ...section(10, list([body.length, ...body])),
  ])
}

function loop(): Code {
  const [at, end, step, cut, probe, to, bits] = [0, 1, 2, 3, 4, 8, 9]
  const get = (local: number): Code => [0x20, local]
  const set = (local: number): Code => [0x21, local]
  const keep = (local: number): Code => [0x22, local]
  const [add, addLong, notAbove, below] = [0x6a, 0x7c, 0x4d, 0x49]
  /** Of eight bytes: load, exclusive or, count. */
  const unlike = (word: number): Code => [...get(at), 0x29, 3, 8 * word, ...get(probe + word), 0x85, 0x7b]
  const write = (local: number, offset: number): Code => [...get(to), ...get(local), 0x36, 0x42, 1, offset]
  return [
    ...[0x03, 0x40],
    ...[...unlike(0), ...unlike(1), addLong, ...unlike(2), addLong, ...unlike(3), addLong, 0xa7, ...keep(bits)],
    ...[...get(cut), notAbove, 0x04, 0x40],
    ...[...write(at, 0), ...write(bits, 4), ...get(to), 0x41, foundBytes, add, ...set(to)],
    0x0b,
    ...[...get(at), ...get(step), add, ...keep(at), ...get(end), below, 0x0d, 0],
    ...[0x0b, ...get(to), 0x0b],
  ]
}
