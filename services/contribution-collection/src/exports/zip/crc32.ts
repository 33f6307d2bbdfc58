import { crc32 } from 'node:zlib'

export { crc32 }

type Matrix = readonly number[]

/** A matrix over GF(2) by a vector, both of 32 bits. */
function times(matrix: Matrix, vector: number): number {
  let sum = 0
  for (let bit = 0; bit < 32; bit++) if ((vector >>> bit) & 1) sum ^= matrix[bit] ?? 0
  return sum >>> 0
}
const squared = (matrix: Matrix): Matrix => matrix.map((row) => times(matrix, row))

/** One zero bit more: the register moves by one, and the polynomial comes in from the other side. */
const oneBit: Matrix = [0xedb88320, ...Array.from({ length: 31 }, (_, bit) => (1 << bit) >>> 0)]

/** The sum of two pieces in a row from the sum of each and the length of the second: nothing has to be read again. */
export function crc32Joined(first: number, second: number, secondLength: number): number {
  let matrix = squared(squared(squared(oneBit))) // one zero byte
  let sum = first >>> 0
  for (let left = secondLength; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) sum = times(matrix, sum)
    matrix = squared(matrix)
  }
  return (sum ^ second) >>> 0
}
