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

const detectIn = async (image: Buffer) => {
  const picture = await decode(image)
  const detections = await finder.find(picture, { small: false })
  return { picture, detections }
}

test('twelve faces of 36 and of 90 pixels are found once each in full HD', { timeout: 120_000 }, async () => {
  const portraits = await portraitsBy(finder)
  for (const size of [36, 90]) {
    const { image, faces } = await montageOf(portraits, size)
    const { picture, detections } = await detectIn(image)
    const inPicture = faces.map(({ left, top, width, height }) => ({
      left: left / picture.scale,
      top: top / picture.scale,
      width: width / picture.scale,
      height: height / picture.scale,
    }))
    expect(inPicture.filter((face) => detections.some(({ box }) => overlap(box, face) > 0.3))).toHaveLength(12)
    expect(detections).toHaveLength(12)
  }
})

test('the second pass adds no false faces to groups and portraits', {
  timeout: 120_000,
}, async () => {
  const counts = [3, 3, 3, 4, 5, 4]
  for (const [index, count] of counts.entries())
    expect((await detectIn(groupPhoto(index + 1))).detections).toHaveLength(count)
  for (const { file } of labelledPhotos) expect((await detectIn(readFileSync(file))).detections).toHaveLength(1)
})
