import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { film, heic, picture, tagged, test2seconds } from '../testing/files.ts'
import { positionIn } from './exif.ts'
import { watch } from './polyglot.ts'
import { headLength, typeOf } from './type.ts'

const photo = () => picture(80, 60).jpeg().toBuffer()
const typeIn = (content: Uint8Array) => typeOf(Buffer.from(content.subarray(0, headLength)))?.contentType

test('the file type is detected from the content', async () => {
  const small = picture(80, 60)
  const pictures = await Promise.all(
    (['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'] as const).map(async (format) => [
      `image/${format}`,
      await small.clone().toFormat(format).toBuffer(),
    ]),
  )
  const films = await Promise.all(
    (
      [
        ['video/mp4', 'a.mp4', []],
        ['video/quicktime', 'a.mov', []],
        ['video/webm', 'a.webm', ['-c:v', 'libvpx', '-c:a', 'libvorbis']],
        ['video/x-matroska', 'a.mkv', []],
        ['video/x-msvideo', 'a.avi', []],
        ['video/mpeg', 'a.mpg', ['-r', '25']],
        ['video/3gpp', 'a.3gp', ['-c:v', 'libx264', '-c:a', 'aac']],
        ['audio/mp4', 'a.m4a', ['-vn']],
        ['audio/mpeg', 'a.mp3', ['-vn']],
        ['audio/wav', 'a.wav', ['-vn']],
        ['audio/ogg', 'a.ogg', ['-vn']],
        ['audio/flac', 'a.flac', ['-vn']],
      ] as const
    ).map(async ([type, name, args]) => [type, await film(name, [...test2seconds, '-s', '64x48', '-t', '1', ...args])]),
  )
  for (const [type, content] of [...pictures, ...films, ['image/heic', await heic(await photo())]] as [
    string,
    Buffer,
  ][])
    expect.soft(typeIn(content), type).toBe(type)
}, 120_000)

test('other files are not detected as media', () => {
  const others = [
    '',
    'MZ\x90',
    '\x7fELF',
    'PK\x03\x04',
    '%PDF-1.7',
    '<svg xmlns="x">',
    '<html>',
    '#!/bin/sh',
    'GIF8',
    '#EXTM3U\n',
  ]
  for (const other of [...others, '\x1a\x45\xdf\xa3 nothing', '\xff\xff\xff\xff', '\0\0\0\x18ftypjunk'])
    expect.soft(typeIn(Buffer.from(other, 'latin1')), other).toBeUndefined()
})

/** Detects in pieces of a given size. */
function detect(content: Buffer, pieceLength: number): string | undefined {
  const detector = watch()
  for (let start = 0; start < content.length; start += pieceLength)
    detector.see(content.subarray(start, start + pieceLength))
  return detector.found()
}

function zip(content: Buffer, comment = ''): Buffer {
  const packed = deflateRawSync(content)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), packed, end, Buffer.from(comment)])
}

test('polyglot files are detected, in pieces of any size', async () => {
  const jpeg = await photo()
  const png = await picture(80, 60).png().toBuffer()
  const appended = (what: Buffer | string) => Buffer.concat([jpeg, Buffer.from(what)])
  const comment = (text: string) =>
    Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, text.length + 2]),
      Buffer.from(text),
      jpeg.subarray(2),
    ])
  const wrong: Record<string, Buffer> = {
    'a zip': appended(zip(randomBytes(5_000))),
    'a zip with a comment': Buffer.concat([png, zip(randomBytes(100), 'x'.repeat(60_000))]),
    'a zip with bytes after it': Buffer.concat([png, zip(randomBytes(100)), Buffer.alloc(500)]),
    'a RAR archive': appended('Rar!\x1a\x07\x01\x00rest'),
    'a 7z archive': appended(Buffer.from('7z\xbc\xaf\x27\x1crest', 'latin1')),
    'a PDF document': comment('%PDF-1.4 obj'),
    'a PHP program': comment('<?php system($_GET[0]); ?>'),
    'a page with scripts': comment('<script>alert(1)</script>'),
    'a page': comment('<html><body onload=x>'),
  }
  for (const [what, content] of Object.entries(wrong))
    for (const pieceLength of [1, 7, 1_000, content.length])
      expect
        .soft(detect(content, pieceLength), `${what} by ${pieceLength}`)
        .toBe(what.replace(/ with (a comment|bytes.*)/, ''))
})

test('data that phones append to pictures is not detected as a polyglot', async () => {
  const jpeg = await photo()
  const motion = await film('a.mp4', [...test2seconds, '-s', '64x48'])
  for (const trailer of [motion, Buffer.from('SEFHe\0\0\0SEFT'), randomBytes(2 ** 20), jpeg, Buffer.from('PK\x05\x06')])
    expect(detect(Buffer.concat([jpeg, trailer]), 4_096)).toBeUndefined()
})

test('the EXIF position is read in both byte orders and all hemispheres', async () => {
  const jpeg = await photo()
  for (const [latitude, longitude] of [
    [52.3731, 4.8922],
    [-33.8568, 151.2153],
    [40.6892, -74.0445],
    [-54.8019, -68.303],
    [0, 0],
  ] as const)
    for (const order of ['II', 'MM']) {
      const references = [
        `-GPSLatitudeRef=${latitude < 0 ? 'S' : 'N'}`,
        `-GPSLongitudeRef=${longitude < 0 ? 'W' : 'E'}`,
      ]
      const content = await tagged(jpeg, 'a.jpg', [
        `-ExifByteOrder=${order}`,
        `-GPSLatitude=${Math.abs(latitude)}`,
        `-GPSLongitude=${Math.abs(longitude)}`,
        ...references,
      ])
      const exif = content.subarray(content.indexOf('Exif\0\0'))
      const parsed = positionIn(exif)
      expect(parsed?.latitude).toBeCloseTo(latitude, 5)
      expect(parsed?.longitude).toBeCloseTo(longitude, 5)
      for (let round = 0; round < 200; round++) {
        const broken = Buffer.from(exif.subarray(0, 400))
        for (let times = 0; times < 4; times++)
          broken[Math.floor(Math.random() * broken.length)] = Math.floor(Math.random() * 256)
        const position = positionIn(broken.subarray(0, Math.floor(Math.random() * 400)))
        if (position) expect(Math.abs(position.latitude)).toBeLessThanOrEqual(90)
      }
    }
  expect(positionIn(jpeg)).toBeUndefined()
}, 120_000)
