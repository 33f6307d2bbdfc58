export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Reads the size of a PNG, JPEG, GIF or WebP image from its header; undefined for anything else. */
export function pictureSize(bytes: Buffer): PictureSize | undefined {
  try {
    const size = readers.find(({ begins }) => begins(bytes))?.read(bytes)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined // truncated
    throw error
  }
}

const text = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

interface PictureReader {
  begins(bytes: Buffer): boolean
  read(bytes: Buffer): PictureSize | undefined
}

const readers: readonly PictureReader[] = [
  {
    begins: (bytes) => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n' && text(bytes, 12, 16) === 'IHDR',
    read: (bytes) => ({ width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }),
  },
  {
    begins: (bytes) => /^GIF8[79]a/.test(text(bytes, 0, 6)),
    read: (bytes) => ({ width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }),
  },
  { begins: (bytes) => text(bytes, 0, 3) === '\xff\xd8\xff', read: jpegSize },
  { begins: (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP', read: webpSize },
]

/** Reads the first frame header (SOF). The markers of DHT, JPG and DAC are in the same range. */
function jpegSize(bytes: Buffer): PictureSize | undefined {
  for (let at = 2; bytes.readUInt8(at) === 0xff; ) {
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xff) at += 1
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

function webpSize(bytes: Buffer): PictureSize | undefined {
  const kind = text(bytes, 12, 16)
  if (kind === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
