/** How many of twelve faces are found in full HD, by size, and the CPU time of a photo. */
import { resolve } from 'node:path'
import { latencyIn } from '@icosa/testing'
import sharp from 'sharp'
import { type Analyse, openAnalysis } from '../../services/face-recognition/src/engine/analysis.ts'
import { overlap } from '../../services/face-recognition/src/engine/image/picture.ts'
import { openFinder } from '../../services/face-recognition/src/engine/look/find.ts'
import { defaultSettings } from '../../services/face-recognition/src/settings.ts'
import { faceSizes, montageOf, portraitsBy } from '../../services/face-recognition/src/testing/montage.ts'
import { groupPhoto, photosOf } from '../../services/face-recognition/src/testing/photos.ts'
import type { Figure } from '../figures.ts'

const rounds = 15

export async function sizes(): Promise<Figure[]> {
  const models = resolve(defaultSettings.models)
  const portraits = await portraitsBy(await openFinder(models))
  const analyse = await openAnalysis(models)
  const figures: Figure[] = []
  for (const size of faceSizes) {
    const { image, faces } = await montageOf(portraits, size)
    for (const small of [false, true]) {
      const { faces: found } = await analyse({ ...question, image, small })
      const hits = faces.filter((face) => found.some(({ box }) => overlap(box, face) > 0.3)).length
      const name = `faces of ${size} px in full HD${small ? ', second look' : ''}`
      figures.push({ name: `${name}, found`, value: hits, unit: `of ${faces.length}` })
      if (found.length > hits) figures.push({ name: `${name}, false`, value: found.length - hits, unit: '' })
    }
  }
  const photos = {
    '640 px, one face': await sharp(photosOf(1)[0]).resize(640).jpeg().toBuffer(),
    '1920 by 1080, three faces': await sharp(groupPhoto(1)).resize(1920, 1080, { fit: 'cover' }).jpeg().toBuffer(),
  }
  for (const [name, image] of Object.entries(photos))
    for (const descriptors of [false, true])
      figures.push({
        name: `photo of ${name}${descriptors ? ', described' : ''}, CPU`,
        value: await cpuMsOf(analyse, image, descriptors),
        unit: 'ms',
      })
  return figures
}

const question = { small: false, descriptors: false, landmarks: false, attributes: false, most: 100 }

/** Median CPU time, which depends less on other load than wall-clock time. */
async function cpuMsOf(analyse: Analyse, image: Buffer, descriptors: boolean): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    await analyse({ ...question, image, descriptors })
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  return latencyIn(times).p50
}
