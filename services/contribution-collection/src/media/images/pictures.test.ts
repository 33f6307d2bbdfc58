import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pictureFormats } from '../formats.ts'
import { picture } from '../testing/files.ts'
import { openPictures, type Pictures } from './pictures.ts'

let pictures: Pictures
beforeAll(() => {
  pictures = openPictures({ size: 1 })
})
afterAll(() => pictures.close())

test('renditions fit their formats, are upright, and never larger than the picture', async () => {
  const photo = await picture(3_000, 2_000).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  expect(await pictures.inspect('a', photo)).toMatchObject({ width: 2_000, height: 3_000 })
  const copies = await pictures.copies('a', photo, pictureFormats)
  expect(copies.map(({ label, width, height }) => [label, width, height])).toEqual([
    ['thumbnail', 150, 150],
    ['small', 213, 320],
    ['medium', 427, 640],
    ['large', 853, 1_280],
    ['fullsize', 2_000, 3_000],
  ])
  for (const { content, width, height } of copies)
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width, height })
  const small = await pictures.copies('a', await picture(100, 80).png().toBuffer(), pictureFormats)
  expect(small.map(({ width }) => width)).toEqual([150, 100, 100, 100, 100])
})

/** A PNG that claims a size which its data does not have. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    const tagged = Buffer.concat([Buffer.from(type), content])
    sum.writeUInt32BE(crc32(tagged))
    return Buffer.concat([length, tagged, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const body = deflateSync(Buffer.alloc(2 ** 20))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('bombs and broken pictures are refused, and the next picture is read', async () => {
  for (const [width, height] of [
    [50_000, 50_000],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [120_001, 1_000],
  ] as const) {
    await expect(pictures.inspect('a', png(width, height))).rejects.toMatchObject({ kind: 'invalid' })
    await expect(pictures.copies('a', png(width, height), pictureFormats)).rejects.toMatchObject({ kind: 'invalid' })
  }
  const whole = await picture(600, 400).jpeg().toBuffer()
  await expect(pictures.copies('a', whole.subarray(0, 2_000), pictureFormats)).rejects.toMatchObject({
    kind: 'invalid',
  })
  for (const other of ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', '%PDF-1.4', ''])
    await expect(pictures.inspect('a', Buffer.from(other))).rejects.toMatchObject({ kind: 'invalid' })
  expect(await pictures.inspect('a', whole)).toMatchObject({ width: 600 })
}, 120_000)
