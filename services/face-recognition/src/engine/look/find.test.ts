import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { defaultSettings } from '../../settings.ts'
import { montageOf, portraitsBy } from '../../testing/montage.ts'
import { groupPhoto, labelledPhotos } from '../../testing/photos.ts'
import { decode } from '../image/decode.ts'
import { overlap } from '../image/picture.ts'
import { type Finder, openFinder } from './find.ts'

let finder: Finder
beforeAll(async () => {
  finder = await openFinder(resolve(defaultSettings.models))
}, 120_000)

const foundIn = async (image: Buffer) => {
  const picture = await decode(image)
  const found = await finder.find(picture, { small: false })
  return { picture, found }
}

test('twelve faces of 36 and of 90 pixels are found in full HD, each once', { timeout: 120_000 }, async () => {
  const portraits = await portraitsBy(finder)
  for (const size of [36, 90]) {
    const { image, faces } = await montageOf(portraits, size)
    const { picture, found } = await foundIn(image)
    const inPicture = faces.map(({ left, top, width, height }) => ({
      left: left / picture.scale,
      top: top / picture.scale,
      width: width / picture.scale,
      height: height / picture.scale,
    }))
    expect(inPicture.filter((face) => found.some(({ box }) => overlap(box, face) > 0.3))).toHaveLength(12)
    expect(found).toHaveLength(12)
  }
})

test('a closer look finds no more faces than there are: in groups, and in portraits', {
  timeout: 120_000,
}, async () => {
  const counts = [3, 3, 3, 4, 5, 4]
  for (const [index, count] of counts.entries())
    expect((await foundIn(groupPhoto(index + 1))).found).toHaveLength(count)
  for (const { file } of labelledPhotos) expect((await foundIn(readFileSync(file))).found).toHaveLength(1)
})
