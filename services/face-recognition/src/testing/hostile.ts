import { crc32, deflateSync } from 'node:zlib'
import { seededBelow } from '@icosa/testing'
import sharp from 'sharp'
import { maxPixels } from '../engine/image/decode.ts'

/** Generates reproducible images that are malicious, or look like it. */
export interface HostileKind {
  readonly name: string
  /** Whether all of them are refused, all are read, or some. */
  readonly outcome: 'refused' | 'read' | 'either'
  image(number: number): Buffer
}

/** Side of the largest square that is accepted. */
const maxSide = Math.floor(Math.sqrt(maxPixels))

export async function hostileKinds(portrait: Buffer): Promise<readonly HostileKind[]> {
  const small = sharp(portrait).resize(200)
  const jpeg = await small.clone().jpeg().toBuffer()
  const png = await small.clone().png().toBuffer()
  const gif = await small.clone().gif().toBuffer()
  const progressive = await small.clone().jpeg({ progressive: true }).toBuffer()
  const page = await small.clone().png().toBuffer()
  const animated = await sharp(
    Array.from({ length: 20 }, () => page),
    { join: { animated: true } },
  )
    .gif()
    .toBuffer()
  const cmyk = await small.clone().toColourspace('cmyk').jpeg().toBuffer()
  const deep = await small.clone().toColourspace('rgb16').png().toBuffer()
  const others = await otherFormats(small)
  const black = { width: maxSide, height: maxSide, channels: 3, background: '#000' } as const
  const heavy = [
    withComment(png, 500_000_000),
    interlaced(maxSide),
    await sharp({ create: black }).jpeg({ progressive: true }).toBuffer(),
  ]
  const files = [jpeg, png, gif]
  const pick = <T>(all: readonly T[], number: number) => all[number % all.length] as T
  /** Makes each file unique. */
  const tail = (number: number) => Buffer.from(`${number}`)

  return [
    {
      name: 'a bomb of more pixels than are read',
      outcome: 'refused',
      image: (n) => pngBomb(maxSide + 1 + 50 * (n % 200)),
    },
    { name: 'a bomb of as many pixels as are read', outcome: 'read', image: (n) => pngBomb(maxSide - (n % 7)) },
    { name: 'a bomb that takes memory', outcome: 'either', image: (n) => Buffer.concat([pick(heavy, n), tail(n)]) },
    { name: 'a size that is not there', outcome: 'refused', image: (n) => sizeless(seededBelow(n)) },
    { name: 'a JPEG that claims to be larger', outcome: 'either', image: (n) => enlarged(jpeg, seededBelow(n)) },
    { name: 'a file that is cut off', outcome: 'refused', image: (n) => cutOff(pick(files, n), seededBelow(n)) },
    { name: 'another kind of file', outcome: 'refused', image: (n) => Buffer.concat([pick(others, n), tail(n)]) },
    { name: 'an animation', outcome: 'read', image: (n) => Buffer.concat([animated, tail(n)]) },
    {
      name: 'a photo with another file behind it',
      outcome: 'read',
      image: (n) => Buffer.concat([jpeg, pick(others, n)]),
    },
    { name: 'a photo behind another file', outcome: 'refused', image: (n) => Buffer.concat([pick(others, n), jpeg]) },
    { name: 'CMYK', outcome: 'read', image: (n) => Buffer.concat([cmyk, tail(n)]) },
    { name: '16 bits', outcome: 'read', image: (n) => Buffer.concat([deep, tail(n)]) },
    {
      name: 'EXIF data that lead back to themselves',
      outcome: 'either',
      image: (n) => withExif(jpeg, exifLoop(seededBelow(n))),
    },
    { name: 'thousands of scans', outcome: 'refused', image: (n) => rescanned(progressive, 200 + (n % 3_000)) },
    { name: 'bytes changed at random', outcome: 'either', image: (n) => changed(pick(files, n), seededBelow(n)) },
  ]
}

async function otherFormats(small: ReturnType<typeof sharp>): Promise<Buffer[]> {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><image href="file:///etc/passwd"/></svg>'
  return [
    ...[
      svg,
      '%PDF-1.7\n',
      'PK\x03\x04',
      '<html><script>alert(1)</script>',
      '\x7fELF',
      'RIFF\0\0\0\0WAVE',
      'GIF89a=1;/*',
      'no photo',
    ].map((text) => Buffer.from(text, 'latin1')),
    await small.clone().tiff().toBuffer(),
    await small.clone().webp().toBuffer(),
    await small.clone().avif({ effort: 0 }).toBuffer(),
  ]
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(type), data])
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const pngOf = (size: Buffer, bytes: number) =>
  Buffer.concat([signature, size, chunk('IDAT', deflateSync(Buffer.alloc(bytes))), chunk('IEND', Buffer.alloc(0))])

/** A valid black PNG with one bit per pixel. */
const pngBomb = (side: number) => pngOf(pngSize(side, side, [1, 0, 0, 0, 0]), side * (1 + Math.ceil(side / 8)))

/** An interlaced PNG with eight bytes per pixel, which cannot be decoded row by row. */
const interlaced = (side: number) => pngOf(pngSize(side, side, [16, 6, 0, 0, 1]), side * (8 * side + 2))

function pngSize(width: number, height: number, kind: readonly number[]): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size.set(kind, 8)
  return chunk('IHDR', size)
}

const afterSize = signature.length + 25

function withComment(png: Buffer, length: number): Buffer {
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(length, 'x'))])
  return Buffer.concat([png.subarray(0, afterSize), chunk('zTXt', text), png.subarray(afterSize)])
}

/** A PNG, BMP or GIF without the pixels that its header announces. */
function sizeless(random: (below: number) => number): Buffer {
  const [width, height] = [6_000 + random(50_000), 6_001 + random(50_000)]
  const bmp = Buffer.alloc(54)
  bmp.write('BM')
  for (const [at, value] of [54, 40, width, height].entries()) bmp.writeUInt32LE(value, 10 + 4 * at)
  bmp.writeUInt16LE(24, 28)
  const gif = Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.alloc(7),
    Buffer.from(',\0\0\0\0'),
    Buffer.alloc(5),
    Buffer.from('\x02\0;'),
  ])
  for (const at of [6, 18]) {
    gif.writeUInt16LE(width, at)
    gif.writeUInt16LE(height, at + 2)
  }
  const png = pngOf(pngSize(width, height, [8, 2, 0, 0, 0]), 9)
  return [png, bmp, gif][random(3)] as Buffer
}

/** Returns the offset of a JPEG marker; frame headers, which have the size, are 0xffc0 and 0xffc2. */
function marker(jpeg: Buffer, ...kinds: number[]): number {
  for (let at = 2; at < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2))
    if (kinds.includes(jpeg[at + 1] as number)) return at
  throw new Error('The JPEG has no such marker.')
}

/** Refused if it is too large; otherwise missing pixels are grey, as in any truncated photo. */
function enlarged(jpeg: Buffer, random: (below: number) => number): Buffer {
  const image = Buffer.from(jpeg)
  const at = marker(jpeg, 0xc0, 0xc2)
  image.writeUInt16BE(400 + random(65_000), at + 5)
  image.writeUInt16BE(400 + random(65_000), at + 7)
  return image
}

const cutOff = (file: Buffer, random: (below: number) => number) =>
  file.subarray(0, random(Math.floor(0.9 * file.length)))

/** EXIF data with 64 entries whose offsets may be anywhere: cyclic, or out of bounds. */
function exifLoop(random: (below: number) => number): Buffer {
  const [entries, bytes] = [64, 8 + 2 + 64 * 12 + 4]
  const data = Buffer.alloc(bytes)
  data.write('II*\0\x08\0\0\0', 'latin1')
  data.writeUInt16LE(random(4) === 0 ? 65_535 : entries, 8)
  const anywhere = () => [8, random(bytes), 2 ** 31 + random(1_000)][random(3)] as number
  const tags = [0x0112, 0x8769, 0x8825, 0xa005, 0x0201, 0x0202, 0x927c]
  for (let entry = 0; entry < entries; entry++) {
    const at = 10 + 12 * entry
    data.writeUInt16LE(tags[random(tags.length)] as number, at)
    data.writeUInt16LE(random(14), at + 2)
    data.writeUInt32LE([1, random(10), 2 ** 32 - 1 - random(10)][random(3)] as number, at + 4)
    data.writeUInt32LE(anywhere(), at + 8)
  }
  data.writeUInt32LE(anywhere(), bytes - 4)
  return data
}

function withExif(jpeg: Buffer, exif: Buffer): Buffer {
  const head = Buffer.from('ffe10000457869660000', 'hex')
  head.writeUInt16BE(8 + exif.length, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)])
}

/** Repeats the last scan of a progressive JPEG, each over the whole picture. */
function rescanned(jpeg: Buffer, times: number): Buffer {
  const last = jpeg.lastIndexOf(Buffer.from('ffda', 'hex'))
  const scan = jpeg.subarray(last, jpeg.length - 2)
  return Buffer.concat([jpeg.subarray(0, last), ...Array.from({ length: times }, () => scan), jpeg.subarray(-2)])
}

function changed(file: Buffer, random: (below: number) => number): Buffer {
  const image = Buffer.from(file)
  const near = random(2) === 0 ? 200 : image.length // the headers only, or the whole file
  for (let remaining = random(8); remaining >= 0; remaining--) image[random(near)] = random(256)
  return image
}
