import sharp from 'sharp'
import { expect, test } from 'vitest'
import { thumbnailOf } from './thumbnail.ts'

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 30, alpha: 0.5 } } })

test.each(['png', 'jpeg', 'webp', 'gif'] as const)('a %s becomes a small square', async (format) => {
  const small = await thumbnailOf(await picture(900, 500).toFormat(format).toBuffer())
  expect(await sharp(small).metadata()).toMatchObject({ format: 'jpeg', width: 300, height: 300 })
})

test('an image with too many pixels is refused without using memory', async () => {
  const bomb = await picture(10_000, 4_000).png({ compressionLevel: 9 }).toBuffer()
  const before = process.memoryUsage.rss()
  expect(await thumbnailOf(bomb)).toBeUndefined()
  console.log(`40 megapixels in ${Math.round(bomb.length / 1024)} KiB: refused`)
  expect((process.memoryUsage.rss() - before) / 1024 / 1024).toBeLessThan(64)
})

test('other files and broken images have no thumbnail', async () => {
  expect(await thumbnailOf(Buffer.from('<html></html>'))).toBeUndefined()
  expect(
    await thumbnailOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  ).toBeUndefined()
  const half = await picture(600, 600).jpeg().toBuffer()
  expect(await thumbnailOf(half.subarray(0, 300))).toBeUndefined()
})
