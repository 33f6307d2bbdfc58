import { Unreadable } from './refusal.ts'

interface Raw {
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array
}

const fileHeader = 14

export const isBmp = (file: Uint8Array): boolean => file[0] === 0x42 && file[1] === 0x4d

/** Decodes an uncompressed BMP with a palette, or with 24 or 32 bits per pixel. libvips has no loader for BMP. */
export function decodeBmp(bytes: Uint8Array, maxPixels: number): Raw {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length < fileHeader + 40) throw new Unreadable('The BMP ends within its header.')
  const headerSize = file.readUInt32LE(fileHeader)
  const width = file.readInt32LE(fileHeader + 4)
  const signedHeight = file.readInt32LE(fileHeader + 8)
  const height = Math.abs(signedHeight)
  const bits = file.readUInt16LE(fileHeader + 14)
  const compression = file.readUInt32LE(fileHeader + 16)
  if (headerSize < 40 || ![1, 4, 8, 24, 32].includes(bits) || !isPlain(compression, bits))
    throw new Unreadable('Only an uncompressed BMP can be read: save it without compression, or as JPEG or PNG.')
  if (width <= 0 || height === 0 || width * height > maxPixels) throw new Unreadable('The BMP is empty or too large.')
  const start = file.readUInt32LE(10)
  const stride = Math.ceil((width * bits) / 32) * 4
  if (start + stride * height > file.length) throw new Unreadable('The BMP ends before its last row.')
  const colour = bits > 8 ? undefined : paletteOf(file, fileHeader + headerSize, start)
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++) {
    const row = start + stride * (signedHeight > 0 ? height - 1 - y : y) // bottom-up unless the height is negative
    for (let x = 0; x < width; x++) {
      const at = colour ? colour(indexAt(file, row, x, bits)) : row + (x * bits) / 8
      const to = (y * width + x) * 3
      rgb[to] = file[at + 2] as number
      rgb[to + 1] = file[at + 1] as number
      rgb[to + 2] = file[at] as number
    }
  }
  return { width, height, rgb }
}

/** 3 means bit masks; with 32 bits these are nearly always in the default order. */
const isPlain = (compression: number, bits: number) => compression === 0 || (compression === 3 && bits === 32)

/** Returns a function from palette index to file offset. */
function paletteOf(file: Buffer, start: number, end: number): (index: number) => number {
  const colours = Math.floor((Math.min(end, file.length) - start) / 4)
  if (colours < 1) throw new Unreadable('The BMP has no palette.')
  return (index) => start + 4 * Math.min(index, colours - 1)
}

function indexAt(file: Buffer, row: number, x: number, bits: number): number {
  const byte = file[row + ((x * bits) >> 3)] as number
  return (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1)
}
