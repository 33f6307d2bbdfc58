import { dimensions } from '../training/gallery.ts'
import { type Memory, sharedMemory, signatureBytes } from './scan.ts'

/**
 * Locality-sensitive hashing by random hyperplanes: 256 bits for each face, which tell on which side of as many planes through
 * the centroid it is. The closer two faces, the smaller the Hamming distance of their signatures, so that few faces of a large
 * gallery need an exact comparison.
 */
export interface Signatures {
  readonly memory: Memory
  readonly centroid: Float64Array
  readonly maxFacesPerPerson: number
}

const rotations = 2
const words = dimensions / 32

/** Pseudorandom, and the same for all galleries. */
const signs = Float64Array.from({ length: rotations * dimensions }, (_, i) =>
  Math.imul(i + 1, 0x9e3779b1) & 0x10000 ? 1 : -1,
)

export function signaturesOf(descriptors: SharedArrayBuffer, starts: SharedArrayBuffer): Signatures {
  const all = new Float32Array(descriptors)
  const count = all.length / dimensions
  const centroid = centroidOf(all, count)
  const memory = sharedMemory(count * signatureBytes)
  const write = signatureWriter(centroid)
  const target = new Int32Array(memory.buffer)
  for (let face = 0; face < count; face++) write(all, face * dimensions, target, (face * signatureBytes) / 4)
  const maxFacesPerPerson = new Int32Array(starts).reduce(
    (max, start, person, offsets) => Math.max(max, (offsets[person + 1] ?? start) - start),
    1,
  )
  return { memory, centroid, maxFacesPerPerson }
}

export function signatureOf(probe: Float32Array, centroid: Float64Array): BigUint64Array {
  const target = new Int32Array(signatureBytes / 4)
  signatureWriter(centroid)(probe, 0, target, 0)
  return new BigUint64Array(target.buffer)
}

function centroidOf(all: Float32Array, count: number): Float64Array {
  const sums = new Float64Array(dimensions)
  for (let i = 0; i < all.length; i++) (sums[i % dimensions] as number) += all[i] as number
  return sums.map((sum) => sum / count)
}

/** Returns a function that writes the signature of the descriptor at `source` to `target`. */
function signatureWriter(centroid: Float64Array) {
  const rotated = new Float64Array(dimensions)
  const halves = new Int32Array(rotated.buffer) // little-endian: the second half has the sign bit
  return (from: Float32Array, source: number, to: Int32Array, target: number) => {
    for (let rotation = 0; rotation < rotations; rotation++) {
      for (let i = 0; i < dimensions; i++)
        rotated[i] =
          ((from[source + i] as number) - (centroid[i] as number)) * (signs[rotation * dimensions + i] as number)
      hadamardTransform(rotated)
      for (let word = 0; word < words; word++) {
        let bits = 0
        for (let i = 0; i < 32; i++) bits = (bits << 1) | ((halves[64 * word + 2 * i + 1] as number) >>> 31)
        to[target + rotation * words + word] = bits
      }
    }
  }
}

/** Fast Walsh-Hadamard transform of 128 numbers: after random signs, a pseudorandom rotation. */
function hadamardTransform(numbers: Float64Array): void {
  for (const width of [1, 4, 16]) radix4Pass(numbers, width)
  for (let i = 0; i < 64; i++) {
    const [p, q] = [numbers[i] as number, numbers[i + 64] as number]
    numbers[i] = p + q
    numbers[i + 64] = p - q
  }
}

/** Does two butterfly passes in one. */
function radix4Pass(numbers: Float64Array, width: number): void {
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
