/** Boundary values of integer fields. */
const interesting = [
  0,
  1,
  -1,
  16,
  127,
  128,
  255,
  256,
  512,
  1024,
  4096,
  32767,
  32768,
  65535,
  65536,
  2 ** 31 - 1,
  -(2 ** 31),
]

export interface Surroundings {
  readonly dictionary: readonly Buffer[]
  readonly corpus: readonly Buffer[]
  readonly maxBytes: number
}

type Random = (below: number) => number
type Mutation = (bytes: Buffer, random: Random, around: Surroundings) => Buffer

const spliced = (bytes: Buffer, at: number, removed: number, added: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])

const piece = (bytes: Buffer, random: Random, longest = 64): Buffer => {
  const at = random(bytes.length + 1)
  return bytes.subarray(at, at + 1 + random(longest))
}

const mutations: readonly Mutation[] = [
  function flipBit(bytes, random) {
    const copy = Buffer.from(bytes)
    const at = random(copy.length)
    if (copy.length > 0) copy[at] = (copy[at] as number) ^ (1 << random(8))
    return copy
  },
  function setNumber(bytes, random) {
    const copy = Buffer.from(bytes)
    const width = [1, 2, 4][random(3)] as 1 | 2 | 4
    if (copy.length < width) return copy
    const value = (interesting[random(interesting.length)] as number) & (width === 4 ? -1 : 2 ** (8 * width) - 1)
    const at = random(copy.length - width + 1)
    if (random(2) === 0) copy.writeUIntLE(value >>> 0, at, width)
    else copy.writeUIntBE(value >>> 0, at, width)
    return copy
  },
  /** Replaces a decimal number. */
  function setDigits(bytes, random) {
    const numbers = [...bytes.toString('latin1').matchAll(/\d+/g)]
    const chosen = numbers[random(numbers.length)]
    const value = String(interesting[random(interesting.length)]).repeat(1 + random(3))
    return chosen ? spliced(bytes, chosen.index, chosen[0].length, Buffer.from(value)) : bytes
  },
  (bytes, random) => spliced(bytes, random(bytes.length + 1), 1 + random(32), Buffer.alloc(0)),
  (bytes, random) =>
    spliced(
      bytes,
      random(bytes.length + 1),
      random(8),
      Buffer.from(Array.from({ length: 1 + random(8) }, () => random(256))),
    ),
  (bytes, random) => spliced(bytes, random(bytes.length + 1), 0, piece(bytes, random)),
  (bytes, random) => bytes.subarray(0, random(bytes.length + 1)),
  function insertWord(bytes, random, { dictionary }) {
    const word = dictionary[random(dictionary.length)]
    return word ? spliced(bytes, random(bytes.length + 1), random(2) * word.length, word) : bytes
  },
  function splice(bytes, random, { corpus }) {
    const other = corpus[random(corpus.length)] ?? bytes
    return spliced(bytes, random(bytes.length + 1), random(64), piece(other, random, 512))
  },
  /** Repeats a part up to the maximum length, which finds superlinear time. */
  function repeat(bytes, random, { dictionary, maxBytes }) {
    const repeated =
      random(2) === 0 && dictionary.length > 0
        ? (dictionary[random(dictionary.length)] as Buffer)
        : piece(bytes, random, 24)
    if (repeated.length === 0) return bytes
    const times = random(8) === 0 ? Math.floor(maxBytes / repeated.length) : random(200)
    return spliced(bytes, random(bytes.length + 1), 0, Buffer.alloc(repeated.length * times, repeated))
  },
]

/** Corpus input with a few mutations. */
export function mutated(random: Random, around: Surroundings): Buffer {
  let bytes = around.corpus[random(around.corpus.length)] ?? Buffer.alloc(0)
  for (let changes = 1 + random(5); changes > 0; changes--)
    bytes = (mutations[random(mutations.length)] as Mutation)(bytes, random, around).subarray(0, around.maxBytes)
  return bytes
}
