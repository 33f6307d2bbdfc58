import { crc32 } from 'node:zlib'

export { crc32 }

type Matrix = readonly number[]

/** Multiplies a 32-bit matrix over GF(2) by a vector. */
function times(matrix: Matrix, vector: number): number {
  let sum = 0
  for (let bit = 0; bit < 32; bit++) if ((vector >>> bit) & 1) sum ^= matrix[bit] ?? 0
  return sum >>> 0
}
const squared = (matrix: Matrix): Matrix => matrix.map((row) => times(matrix, row))

/** Appends one zero bit: shifts the register, feeding back the polynomial. */
const oneBit: Matrix = [0xedb88320, ...Array.from({ length: 31 }, (_, bit) => (1 << bit) >>> 0)]

/** Checksum of a concatenation, from the checksums of both pieces and the length of the second. */
export function crc32Joined(first: number, second: number, secondLength: number): number {
  let matrix = squared(squared(squared(oneBit))) // one zero byte
  let sum = first >>> 0
  for (let remaining = secondLength; remaining > 0; remaining = Math.floor(remaining / 2)) {
    if (remaining % 2 === 1) sum = times(matrix, sum)
    matrix = squared(matrix)
  }
  return (sum ^ second) >>> 0
}
