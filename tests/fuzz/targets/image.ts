import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { positionIn } from '../../../services/contribution-collection/src/media/content/exif.ts'
import { watch } from '../../../services/contribution-collection/src/media/content/polyglot.ts'
import { headLength, typeOf } from '../../../services/contribution-collection/src/media/content/type.ts'
import { decode } from '../../../services/face-recognition/src/engine/image/decode.ts'
import { Unreadable } from '../../../services/face-recognition/src/engine/image/refusal.ts'
import type { Target } from '../target.ts'

const png = PNG.sync.write(Object.assign(new PNG({ width: 40, height: 40 }), { data: Buffer.alloc(6400, 128) }))

function bmp(bits: 8 | 24): Buffer {
  const [start, stride] = [bits === 8 ? 62 : 54, (40 * bits) / 8]
  const bytes = Buffer.alloc(start + stride * 40, 1)
  bytes.write('BM')
  for (const [at, value] of [
    [10, start],
    [14, 40],
    [18, 40],
    [22, 40],
    [30, 0],
  ] as const)
    bytes.writeUInt32LE(value, at)
  bytes.writeUInt16LE(bits, 28)
  return bytes
}

/** An EXIF block with a GPS position. */
function exif(): Buffer {
  const tiff = Buffer.alloc(120)
  tiff.write('II*\0')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(1, 8)
  tiff.writeUInt16LE(0x8825, 10)
  tiff.writeUInt32LE(26, 18)
  tiff.writeUInt16LE(4, 26)
  for (const [index, [tag, count, value]] of [
    [1, 2, 0x4e],
    [2, 3, 80],
    [3, 2, 0x45],
    [4, 3, 80],
  ].entries()) {
    tiff.writeUInt16LE(tag as number, 28 + 12 * index)
    tiff.writeUInt32LE(count as number, 32 + 12 * index)
    tiff.writeUInt32LE(value as number, 36 + 12 * index)
  }
  for (let at = 80; at < 104; at += 8) tiff.writeUInt32LE(1, at + 4)
  return Buffer.concat([Buffer.from('Exif\0\0'), tiff])
}

export const target: Target = {
  seeds: [
    png,
    bmp(8),
    bmp(24),
    exif(),
    Buffer.from('GIF89a\x28\0\x28\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x28\0\x28\0\0\x02\x02\x44\x01\0;', 'latin1'),
    deflateSync('x'),
  ],
  dictionary: [
    'IHDR',
    'IDAT',
    'IEND',
    'PLTE',
    'GIF89a',
    'BM',
    'PK\x05\x06',
    '%PDF-',
    '<script',
    'II*\0',
    Buffer.from('ffd8ffe1', 'hex'),
  ],
  refusals: [Unreadable],
  async run(bytes) {
    typeOf(bytes.subarray(0, headLength))
    positionIn(bytes)
    const seen = watch()
    for (let at = 0; at < bytes.length; at += 1_000) seen.see(bytes.subarray(at, at + 1_000))
    seen.found()
    await decode(bytes)
  },
}
