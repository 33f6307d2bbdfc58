import { Kernel } from '../kernel/kernel.ts'
import { Random } from '../text/random.ts'
import type { Token } from '../text/tokens.ts'
import { type Encoded, encoder, width } from './encoder.ts'
import { type Matrix, Products } from './products.ts'

/** The encoder is for English. */
const hasEncoder = (culture: string): boolean => culture.toLowerCase().startsWith('en')

export const encode = (text: string, culture: string): Encoded | undefined =>
  hasEncoder(culture) ? encoder().encode(text) : undefined

/** Whether the sentence has a word that is in the encoder's vocabulary. */
export const hasWord = ({ pieces }: Encoded, tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ text, start, end }) =>
      /\p{L}{2}/u.test(text) && pieces.some((piece) => piece.id > 0 && piece.start <= start && piece.end === end),
  )

/** Dimensions of a token: all, or fewer to save memory if there are many tokens. */
export const wide = width
export const narrow = 128
const maxWideTokens = 30_000
export const rowSize = (tokens: number): number => (tokens <= maxWideTokens ? wide : narrow)

/** Embeds each token by the mean of its pieces. */
export function tokenRows(encoded: Encoded, tokens: readonly Token[], size: number): Float32Array {
  const rows = new Float32Array(tokens.length * width)
  tokens.forEach((token, t) => {
    const own = encoded.pieces.flatMap((piece, index) =>
      piece.start < token.end && piece.end > token.start ? [index] : [],
    )
    for (const index of own)
      for (let d = 0; d < width; d++)
        rows[t * width + d] = (rows[t * width + d] as number) + (encoded.rows[index * width + d] as number) / own.length
  })
  return size === wide ? rows : project(rows, tokens.length)
}

let projection: { kernel: Kernel; products: Products; directions: Matrix; from: number; into: number } | undefined
const maxRows = 128

/** Random projection, which nearly preserves distances. */
function project(rows: Float32Array, count: number): Float32Array {
  projection ??= openProjection()
  const { kernel, products, directions, from, into } = projection
  const projected = new Float32Array(count * narrow)
  for (let first = 0; first < count; first += maxRows) {
    const size = Math.min(maxRows, count - first)
    kernel.floats(from, size * width).set(rows.subarray(first * width, (first + size) * width))
    products.multiply(from, directions, into, size)
    projected.set(kernel.floats(into, size * narrow), first * narrow)
  }
  return projected
}

function openProjection(): NonNullable<typeof projection> {
  const kernel = new Kernel()
  const products = new Products(kernel, maxRows, width)
  const random = new Random(5)
  const gaussian = () => Math.sqrt(-2 * Math.log(random.next() + 1e-12)) * Math.cos(2 * Math.PI * random.next())
  const numbers = Float32Array.from({ length: width * narrow }, () => gaussian() / Math.sqrt(narrow))
  const directions = products.matrix(numbers, width, narrow)
  return {
    kernel,
    products,
    directions,
    from: kernel.allocate(maxRows * width),
    into: kernel.allocate(maxRows * narrow),
  }
}
