import { dimensions } from '../training/gallery.ts'
import { type Memory, sharedMemory, sketchBytes } from './scan.ts'

/**
 * 256 bits for each face: on which side of so many planes through the middle of all faces it is. The more alike two faces
 * are, the fewer of their bits differ, so that most of a large gallery need not be looked at any closer.
 */
export interface Sketches {
  readonly memory: Memory
  readonly middle: Float64Array
  /** How many faces the person with the most of them has. */
  readonly widest: number
}

const rotations = 2
const words = dimensions / 32

/** Any will do, as long as they are the same for all faces. */
const signs = Float64Array.from({ length: rotations * dimensions }, (_, i) =>
  Math.imul(i + 1, 0x9e3779b1) & 0x10000 ? 1 : -1,
)

export function sketchesOf(descriptors: SharedArrayBuffer, starts: SharedArrayBuffer): Sketches {
  const all = new Float32Array(descriptors)
  const count = all.length / dimensions
  const middle = middleOf(all, count)
  const memory = sharedMemory(count * sketchBytes)
  const sketch = sketcher(middle)
  const into = new Int32Array(memory.buffer)
  for (let face = 0; face < count; face++) sketch(all, face * dimensions, into, (face * sketchBytes) / 4)
  const widest = new Int32Array(starts).reduce(
    (most, start, i, places) => Math.max(most, (places[i + 1] ?? start) - start),
    1,
  )
  return { memory, middle, widest }
}

export function sketchOf(probe: Float32Array, middle: Float64Array): BigUint64Array {
  const into = new Int32Array(sketchBytes / 4)
  sketcher(middle)(probe, 0, into, 0)
  return new BigUint64Array(into.buffer)
}

function middleOf(all: Float32Array, count: number): Float64Array {
  const middle = new Float64Array(dimensions)
  for (let i = 0; i < all.length; i++) (middle[i % dimensions] as number) += all[i] as number
  return middle.map((sum) => sum / count)
}

/** Writes the sketch of the face at a place to another one. */
function sketcher(middle: Float64Array) {
  const turned = new Float64Array(dimensions)
  const halves = new Int32Array(turned.buffer) // the second one has the sign
  return (from: Float32Array, at: number, to: Int32Array, place: number) => {
    for (let rotation = 0; rotation < rotations; rotation++) {
      for (let i = 0; i < dimensions; i++)
        turned[i] = ((from[at + i] as number) - (middle[i] as number)) * (signs[rotation * dimensions + i] as number)
      turn(turned)
      for (let word = 0; word < words; word++) {
        let bits = 0
        for (let i = 0; i < 32; i++) bits = (bits << 1) | ((halves[64 * word + 2 * i + 1] as number) >>> 31)
        to[place + rotation * words + word] = bits
      }
    }
  }
}

/** Hadamard's transform of 128 numbers: with random signs, each result is the distance from a random plane. */
function turn(numbers: Float64Array): void {
  for (const width of [1, 4, 16]) turnFour(numbers, width)
  for (let i = 0; i < 64; i++) {
    const [p, q] = [numbers[i] as number, numbers[i + 64] as number]
    numbers[i] = p + q
    numbers[i + 64] = p - q
  }
}

/** Two steps of it at once. */
function turnFour(numbers: Float64Array, width: number): void {
  for (let start = 0; start < dimensions; start += 4 * width)
    for (let i = start; i < start + width; i++) {
      const p = numbers[i] as number
      const q = numbers[i + width] as number
      const r = numbers[i + 2 * width] as number
      const s = numbers[i + 3 * width] as number
      numbers[i] = p + q + (r + s)
      numbers[i + width] = p - q + (r - s)
      numbers[i + 2 * width] = p + q - (r + s)
      numbers[i + 3 * width] = p - q - (r - s)
    }
}
